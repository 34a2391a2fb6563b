// Attempts to set up a connection for NFS/RDMA that failed: then the mount does not come up, or the client
// falls back to NFS over TCP. To refuse a connection breaks no requirement, so they are warnings, and notes
// where the client got a connection later.

#include <initializer_list>

#include "attempt/words.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using attempt::Attempt;
using Ended = attempt::Outcome;

std::string_view what_then(const Attempt& attempt) {
  return attempt.then == attempt::Then::connection ? "; a later attempt came up"
         : attempt.then == attempt::Then::tcp      ? "; the client went on with NFS over TCP"
                                                   : "; none came up in this capture";
}

Outcome check_outcome(const Attempt& attempt, Report& report, std::initializer_list<Ended> outcomes) {
  if (std::find(outcomes.begin(), outcomes.end(), attempt.like.outcome) == outcomes.end()) {
    return Outcome::not_applicable;
  }
  auto entry = report("{}{}", attempt::sentence(attempt), what_then(attempt));
  if (attempt.then == attempt::Then::connection) {
    entry.severity(Severity::note);
  }
  if (!attempt.like.certain) {
    entry.at_most(Certainty::possible);
  }
  if (attempt.like.connection.transport == rdma::Transport::iwarp) {
    entry.source({"RFC 5044", "7.1"});
  }
  return Outcome::done;
}

Outcome check_refused(const Attempt& attempt, Report& report) {
  return check_outcome(attempt, report, {Ended::rejected, Ended::refused});
}

Outcome check_unanswered(const Attempt& attempt, Report& report) {
  return check_outcome(attempt, report, {Ended::unanswered});
}

Outcome check_unfinished(const Attempt& attempt, Report& report) {
  return check_outcome(attempt, report, {Ended::unconfirmed, Ended::terminated});
}

}  // namespace

constinit const Rule setup_refused = {
    .id = "SET-01",
    .name = "setup-refused",
    .severity = Severity::warning,
    .source = {"IBTA", "12.6.7"},
    .attempt = check_refused,
};

constinit const Rule setup_unanswered = {
    .id = "SET-02",
    .name = "setup-unanswered",
    .severity = Severity::warning,
    .source = {"IBTA", "12.9.8"},
    .attempt = check_unanswered,
};

constinit const Rule setup_unfinished = {
    .id = "SET-03",
    .name = "setup-unfinished",
    .severity = Severity::warning,
    .source = {"IBTA", "12.9.8"},
    .attempt = check_unfinished,
};

}  // namespace steertag::rules
