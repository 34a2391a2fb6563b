// Nothing: what a record that is told of nothing refers to. Who wants to know which members a kind of record
// may have, as the schema does, makes one of this and listens to it (member.h). All of it has the values that
// it begins with.
#pragma once

#include <optional>

#include "attempt/attempt.h"
#include "diff/difference.h"
#include "flow/exchange.h"
#include "flow/message.h"
#include "flow/negotiation.h"
#include "incident/incident.h"
#include "loss/ledger.h"
#include "report/each.h"
#include "report/files.h"
#include "report/known.h"
#include "report/seen.h"
#include "report/stats.h"
#include "report/stream.h"
#include "rpcrdma/header.h"
#include "rules/finding.h"
#include "rules/tally.h"
#include "stats/disturbances.h"
#include "stats/judge.h"
#include "stats/load.h"
#include "stats/pace.h"
#include "stats/totals.h"
#include "track/connection.h"

namespace steertag::report::record {

struct Nothing {
  track::Connection connection;
  flow::Exchange exchange;
  rules::Rule rule;
  rules::Finding finding;
  rpcrdma::TransportHeader header;
  flow::Message message;
  flow::Negotiation negotiation;
  rules::Tally tally;
  report::Known known;
  diff::Difference difference;
  Files files;
  report::Summary summary;
  AuditedFile file;
  Seen seen;
  stats::Grouping by;
  stats::Totals totals;
  report::Stat stat{by, nullptr, std::nullopt, totals};
  stats::Load load;
  stats::Remark remark;
  stats::Disturbances::Interval interval;
  stats::Pace::Interval pace;
  attempt::Attempt attempt;
  incident::Incident incident;
  loss::Entry loss;
  std::string text;
  Nothing() {
    exchange.connection = finding.connection = message.connection = negotiation.connection = &connection;
    finding.rule = &rule;
    message.header = &header;
  }
};

}  // namespace steertag::report::record
