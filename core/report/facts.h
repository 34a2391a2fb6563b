// What a trace says of an RPC, of memory that RDMA moved, and of a finding, each as a list of names and
// values: the names are those that the same facts have in the records of --format jsonl, and what is not
// known is not in the list. Both forms of a trace say the same (perfetto.h, otlp.h).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "flow/exchange.h"
#include "report/files.h"
#include "rules/finding.h"

namespace steertag::report {

struct Fact {
  std::string key;
  std::variant<uint64_t, std::string> value;
};
using Facts = std::vector<Fact>;

Facts rpc_facts(const flow::Exchange& exchange, const Files& files);
Facts segment_facts(const flow::Exchange& exchange, const flow::SegmentFlow& segment, const Files& files);
Facts finding_facts(const rules::Finding& finding, const Files& files);

}  // namespace steertag::report
