// Remote invalidation against what the Requester has conveyed about itself.

#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

// The Responder has received what was sent before a Call that it answers: this one, or an earlier answer's.
Outcome check_invalidation_declined(const flow::Message& message, Report& report) {
  if (!message.send_invalidate || message.direction != flow::Direction::reply || !conveys_rpc(message)) {
    return Outcome::not_applicable;
  }
  const history::Terms& requester = terms_of_receiver(message);
  const history::Reported* reported = requester.find(rpcrdma::xchar::Id::reqreminv);
  if (reported == nullptr || !reported->number) {
    return Outcome::not_applicable;
  }
  if (*reported->number != 0) {
    return requester.missed ? Outcome::undecided : Outcome::done;
  }
  const flow::Exchange* open = message.standing->open;
  // The Responder may have rejected what said so.
  if (open == nullptr || !open->call || requester.missed || terms_of_sender(message).missed) {
    return Outcome::undecided;
  }
  const bool ahead = open->resent == 0 && captured_before(reported->at, *open->call);
  const bool heard = ahead || requester.was_heard(reported->at);
  if (!heard && open->resent != 0) {
    return Outcome::undecided;  // the first copy of the Call may be what is answered
  }
  if (heard) {
    auto entry =
        report("Reply by Send With Invalidate of {:#010x}, but the Requester's XCHAR_REQREMINV is FALSE",
               message.invalidated);
    entry.with(reported->at).with(*open->call);
    if (!ahead && !reported->solicited) {
      entry.at_most(Certainty::likely);  // it came unasked, with this answer in the making
    }
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule invalidation_declined = {
    .id = "INV-10",
    .name = "invalidation-declined",
    .source = {"xcharext-02", "3.2"},
    .also = "reminv-design-09",
    .needs = needs_both_ways | needs_unbroken,
    .about = (kinds::replies | kinds::optionals) & kinds::version_two,
    .message = check_invalidation_declined,
};

}  // namespace steertag::rules
