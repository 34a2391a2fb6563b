// What a connection leaves open at its end.

#include "rules/ending.h"
#include "rules/reading.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

void judge_requests(const Ending& ending, rdma::Side from, Report& report, bool& judged, bool& doubtful) {
  const history::Terms& sender = ending.history->characteristics().of(from);
  for (const history::Aside& aside : sender.asides) {
    if (aside.opttype != xchar::Operation::reqxch || aside.broken != nullptr) {
      continue;  // what cannot be read is due an error, which another rule covers
    }
    if (aside.answer || aside.error) {
      judged = true;
    } else if (!aside.certain || gap_since(*ending.connection, aside.at) ||
               !answer_was_due(ending, sender.was_heard(aside.at), aside.at)) {
      doubtful = true;
    } else {
      judged = true;
      report("REQXCH is still unanswered at the end of the connection")
          .at(aside.at)
          .of(aside.xid)
          .blame(Blame::responder, rdma::other(from));
    }
  }
}

void judge_pended(const Ending& ending, rdma::Side from, Report& report, bool& judged, bool& doubtful) {
  const history::Terms& peer = ending.history->characteristics().of(rdma::other(from));
  for (const history::Pended& pended : ending.history->characteristics().of(from).owed) {
    if (!pended.certain || !answer_was_due(ending, peer.was_heard(pended.answered), pended.answered)) {
      doubtful = true;
      continue;
    }
    judged = true;
    report("Change of {} is still pending at the end of the connection", id_text(pended.which))
        .at(pended.answered)
        .with(pended.asked)
        .severity(Severity::note)
        .blame(Blame::responder, from);
  }
}

Outcome check_request_unanswered(const Ending& ending, Report& report) {
  if (ending.history == nullptr) {
    return Outcome::not_applicable;
  }
  bool judged = false;
  bool doubtful = false;
  for (const rdma::Side from : {rdma::Side::a, rdma::Side::b}) {
    judge_requests(ending, from, report, judged, doubtful);
    judge_pended(ending, from, report, judged, doubtful);
  }
  return judged ? Outcome::done : doubtful ? Outcome::undecided : Outcome::not_applicable;
}

}  // namespace

constinit const Rule request_unanswered = {
    .id = "XCH-10",
    .name = "change-request-unanswered",
    .severity = Severity::warning,
    .source = {"xcharext-02", "4.2"},
    .needs = needs_both_ways,
    .ending = check_request_unanswered,
};

}  // namespace steertag::rules
