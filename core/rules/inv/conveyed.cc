// Remote invalidation against what the Requester has conveyed about itself.

#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {

namespace {

// The Responder has received what was sent before the Call that it answers.
Outcome check_invalidation_declined(const flow::Message& message, Report& report) {
  if (!message.send_invalidate) {
    return Outcome::not_applicable;
  }
  const flow::Terms& requester = terms_of_receiver(message);
  const flow::Told* told = requester.find(rpcrdma::xchar::Id::reqreminv);
  if (told == nullptr || !told->number) {
    return Outcome::not_applicable;
  }
  if (*told->number != 0) {
    return requester.missed ? Outcome::undecided : Outcome::done;
  }
  const flow::Exchange* open = message.standing->open;
  // The Responder may have rejected what said so.
  if (open == nullptr || !open->call || requester.missed || terms_of_sender(message).missed) {
    return Outcome::undecided;
  }
  if (captured_before(told->at, *open->call)) {
    report("Reply by Send With Invalidate of {:#010x}, the Requester's XCHAR_REQREMINV is FALSE",
           message.invalidated)
        .with(told->at)
        .with(*open->call);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule invalidation_declined = {
    .id = "INV-10",
    .name = "invalidation-declined",
    .severity = Severity::error,
    .source = {"xcharext-02", "3.2"},
    .also = "reminv-design-09",
    .needs = needs_both_ways | needs_unbroken,
    .requirement = "A Requester whose XCHAR_REQREMINV is FALSE gets its Replies by plain Send",
    .why = "It is not prepared for a handle to go away under it, and may use or release it once more",
    .about = kinds::replies & kinds::version_two,
    .message = check_invalidation_declined,
};

}  // namespace steertag::rules
