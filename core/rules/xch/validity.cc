// Values that are none of their type, which a receiver that knows the
// characteristic has to refuse; and those that were not conveyed at first.

#include "rules/ending.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

using xchar::Operation;

// A RESPXCH says of each element whether its sender knows what it is. Who accepts one that is no value of its
// type has executed what cannot be read, which is ERR-03's.
Outcome check_invalid_rejected(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  if (body == nullptr || body->opttype != Operation::respxch || message.decoded.stop) {
    return Outcome::not_applicable;
  }
  const history::Asked* asked = terms_of_receiver(message).find_asked(message.header->xid);
  if (asked == nullptr || !asked->whole) {
    return Outcome::not_applicable;
  }
  const history::Terms& sender = terms_of_sender(message);
  bool judged = false;
  for (size_t i = 0; i < asked->want.size(); ++i) {
    const flow::Term& want = asked->want[i];
    if (want.valid) {
      continue;
    }
    judged = true;
    const bool taken = body->response.done.has(i) || body->response.pend.has(i);
    if (!taken && sender.uses(want.which)) {
      report("RESPXCH rejects element {}, whose data is not a value of {}; expected RDMA2_ERR_BAD_XDR", i,
             id_text(want.which))
          .in(body->at)
          .with(asked->at)
          .at_most(Certainty::likely);
    }
  }
  return judged ? Outcome::done : Outcome::not_applicable;
}

// Silence is not an answer to a message that conveys one; but whether its receiver knows the characteristic
// only shows where it uses it itself.
Outcome judge_reported(const Ending& ending, rdma::Side from, const history::Aside& aside, Report& report) {
  const history::Terms& receiver = ending.history->characteristics().of(rdma::other(from));
  const history::Terms& sender = ending.history->characteristics().of(from);
  const bool one_way = aside.opttype == Operation::initxch || aside.opttype == Operation::updxch;
  if (!aside.invalid || !one_way) {
    return Outcome::not_applicable;
  }
  if (aside.error) {
    return Outcome::done;
  }
  if (!receiver.uses(*aside.invalid) || !aside.certain ||
      !answer_was_due(ending, sender.was_heard(aside.at), aside.at)) {
    return Outcome::undecided;
  }
  report("No RDMA2_ERR_BAD_XDR answers {}, whose data for {} is not one of its values",
         short_name(*aside.opttype), id_text(*aside.invalid))
      .at(aside.at)
      .of(aside.xid)
      .at_most(is_answer(aside) ? Certainty::possible : Certainty::likely)
      .blame(Blame::responder, rdma::other(from));
  return Outcome::done;
}

Outcome check_invalid_passed_over(const Ending& ending, Report& report) {
  return judge_asides(ending, [&](rdma::Side from, const history::Aside& aside) {
    return judge_reported(ending, from, aside, report);
  });
}

// Who changes the value of a characteristic knows it, and knew it at the start.
Outcome check_left_out(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  const history::Terms& sender = terms_of_sender(message);
  if (body == nullptr || body->opttype != Operation::updxch || message.decoded.stop || !sender.first_init ||
      xchar::experimental(body->update.now.which)) {
    return Outcome::not_applicable;
  }
  if (sender.missed || sender.forgot) {
    return Outcome::undecided;
  }
  // xcharext-02 §3.3: what a client accepts. A server has no such value that it could have conveyed.
  if (body->update.now.which == xchar::Id::brs && message.connection->client != message.from) {
    return Outcome::not_applicable;
  }
  const bool rejected = terms_of_receiver(message).find_rejected(Operation::initxch) != nullptr;
  if (!rejected && sender.find(body->update.now.which) == nullptr) {
    report("UPDXCH changes {}, which INITXCH did not include", id_text(body->update.now.which))
        .in(body->at)
        .with(*sender.first_init);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule left_out_of_initxch = {
    .id = "XCH-16",
    .name = "left-out-of-initxch",
    .severity = Severity::note,
    .source = {"xcharext-02", "4.1"},
    .needs = needs_setup | needs_no_loss,
    .about = kinds::optionals,
    .message = check_left_out,
};

constinit const Rule invalid_value_taken = {
    .id = "XCH-15",
    .name = "invalid-value-not-refused",
    .source = {"xcharext-02", "2.1"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::optionals,
    .message = check_invalid_rejected,
    .ending = check_invalid_passed_over,
};

}  // namespace steertag::rules
