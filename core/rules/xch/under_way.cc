// Changes that an end makes of its own accord while RPCs are open that rest on the former value.

#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

// The value of `id` that `end` has changed by itself since `call`, from one number to a smaller one; null
// where it has not. False comes before true, and each kind of support before the larger one.
const history::Reported* lowered_since(const history::Terms& end, xchar::Id id, const Stamp& call) {
  const history::Reported* reported = end.find(id);
  const bool lowered = reported != nullptr && reported->number && !reported->solicited && reported->before &&
                       reported->before->term.number && *reported->number < *reported->before->term.number &&
                       captured_before(call, reported->at);
  return lowered ? reported : nullptr;
}

// Answers show which RPCs were open: the message at hand ends one.
Outcome check_lowered_under_way(const flow::Message& message, Report& report) {
  const flow::Exchange* open = message.standing->open;
  if (open == nullptr || !open->call || !open->call_message.kept || open->call_message.decoded.stop) {
    return Outcome::not_applicable;
  }
  const history::Terms& requester = terms_of_receiver(message);
  const history::Terms& responder = terms_of_sender(message);
  if (requester.missed || responder.missed) {
    return Outcome::undecided;
  }
  const rpcrdma::TransportHeader& call = open->call_message.header;
  bool judged = false;
  if (call.inv_handle.value_or(0) != 0 && requester.uses(xchar::Id::reqreminv)) {
    judged = true;
    if (const history::Reported* reported = lowered_since(requester, xchar::Id::reqreminv, *open->call)) {
      report(
          "XCHAR_REQREMINV becomes FALSE without a request while XID {:#010x} is open, whose Call names "
          "handle {:#010x}",
          open->xid, *call.inv_handle)
          .at(reported->at)
          .with(*open->call)
          .blame(Blame::requester, rdma::other(message.from));
    }
  }
  if (message.connection->client == message.from && responder.uses(xchar::Id::brs)) {
    judged = true;
    const history::Reported* reported = lowered_since(responder, xchar::Id::brs, *open->call);
    const auto now = static_cast<xchar::BackwardSupport>(reported != nullptr ? *reported->number : 0);
    if (reported != nullptr && (now == xchar::BackwardSupport::none || !call.chunks.empty())) {
      report("XCHAR_BRS becomes {} without a request while backward Call {:#010x} is open{}",
             xchar::text(now), open->xid, message.header->is_error() ? ", which is then rejected" : "")
          .at(reported->at)
          .with(*open->call)
          .with(message.at)
          .severity(message.header->is_error() ? Severity::warning : Severity::note)
          .blame(Blame::responder, message.from);
    }
  }
  return judged ? Outcome::done : Outcome::not_applicable;
}

}  // namespace

constinit const Rule lowered_under_way = {
    .id = "XCH-17",
    .name = "lowered-under-open-calls",
    .severity = Severity::note,
    .source = {"xcharext-02", "3"},
    .needs = needs_both_ways | needs_no_loss,
    .about = (kinds::replies | kinds::errors) & kinds::version_two,
    .message = check_lowered_under_way,
};

}  // namespace steertag::rules
