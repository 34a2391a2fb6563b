// What a Requester of version two names in rdma_inv_handle, held against what else it has said.

#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

constexpr int64_t kGivenUpNs = 1'000'000'000;  // by then its Requester may no longer wait for a Call

// The sender knows what it has conveyed of itself, whether the peer has received it or not.
Outcome check_named_despite_refusal(const flow::Message& message, Report& report) {
  const uint32_t named = message.header->inv_handle.value_or(0);
  const history::Terms& requester = terms_of_sender(message);
  const history::Reported* reported = requester.find(xchar::Id::reqreminv);
  if (reported == nullptr || !reported->number || message.decoded.stop) {
    return Outcome::not_applicable;
  }
  if (requester.missed || terms_of_receiver(message).missed) {  // who may have asked for another value
    return Outcome::undecided;
  }
  if (*reported->number == 0 && named != 0) {
    report("rdma_inv_handle is {:#010x}, but XCHAR_REQREMINV of the same end is FALSE", named)
        .with(reported->at);
  }
  return Outcome::done;
}

// version-two-02 §3: a handle that goes away with one RPC cannot be lent for another one meanwhile.
Outcome check_named_of_two(const flow::Message& message, Report& report) {
  const uint32_t named = message.header->inv_handle.value_or(0);
  if (named == 0) {
    return Outcome::not_applicable;
  }
  const flow::Exchange* other = message.standing->also_advertises;
  if (other != nullptr && other->call) {
    const bool old = message.at.time_ns - other->call->time_ns >= kGivenUpNs;
    report("rdma_inv_handle is {:#010x}, which the open Call with XID {:#010x} advertises, too", named,
           other->xid)
        .with(*other->call)
        .at_most(old ? Certainty::possible : Certainty::likely);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule named_despite_refusal = {
    .id = "INV-13",
    .name = "handle-named-despite-refusal",
    .source = {"version-two-02", "5.2.3"},
    .also = "xcharext-02",
    .needs = needs_both_ways,
    .about = kinds::calls & kinds::version_two,
    .message = check_named_despite_refusal,
};

constinit const Rule named_of_two = {
    .id = "INV-14",
    .name = "handle-of-two-calls-named",
    .severity = Severity::warning,
    .source = {"version-two-02", "3"},
    .also = "reminv-design-09",
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::calls & kinds::version_two,
    .message = check_named_of_two,
};

}  // namespace steertag::rules
