// Version two: the Call says in rdma_inv_handle which handle may be invalidated.

#include "base/counted.h"
#include "rules/advertised.h"
#include "rules/answers.h"
#include "rules/inv/owner.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

Outcome check_unoffered_inv_handle(const flow::Message& message, Report& report) {
  const std::optional<uint32_t>& named = message.header->inv_handle;
  if (!named || *named == 0) {
    return Outcome::not_applicable;
  }
  if (advertises_handle(message.header->chunks, *named)) {
    return Outcome::done;
  }
  if (message.decoded.stop) {
    return Outcome::undecided;
  }
  const size_t count = message.header->chunks.segments();
  if (count == 0) {
    report("rdma_inv_handle is {:#010x}, but the Call advertises no memory", *named);
  } else {
    report("rdma_inv_handle is {:#010x}, which is not a handle of the Call ({})", *named,
           base::counted(count, "segment"));
  }
  return Outcome::done;
}

// rdma_inv_handle of the Call that this message, of version two, is the Reply to.
struct Permitted {
  Outcome outcome = Outcome::done;
  const flow::Exchange* open = nullptr;
  uint32_t handle = 0;
};

// The same where the Reply is conveyed by an extension.
Permitted permitted_to_option(const flow::Message& message) {
  const flow::Exchange* open = message.standing->open;
  if (open == nullptr || !open->call_message.kept || !open->call_message.header.inv_handle) {
    return {Outcome::not_applicable};
  }
  if (open->resent != 0 || open->call_message.decoded.stop) {
    return {Outcome::undecided};
  }
  return {Outcome::done, open, *open->call_message.header.inv_handle};
}

Permitted permitted_by_call(const flow::Message& message) {
  if (message.part == flow::Part::opening && message.direction == flow::Direction::reply) {
    return permitted_to_option(message);
  }
  const Answers pair = answers(message);
  if (pair.outcome != Outcome::done) {
    return {pair.outcome};
  }
  return {Outcome::done, pair.open, pair.call->header.inv_handle.value_or(0)};
}

Outcome check_unpermitted_invalidation(const flow::Message& message, const Permitted& call, Report& report) {
  if (call.handle != 0) {
    return Outcome::not_applicable;
  }
  if (message.send_invalidate) {
    report(
        "Reply invalidates handle {:#010x}, but rdma_inv_handle of its Call is 0, which requires a plain "
        "Send{}",
        message.invalidated, owner_of_invalidated(message, call.open))
        .with(*call.open->call);
  }
  return Outcome::done;
}

Outcome check_other_handle_invalidated(const flow::Message& message, const Permitted& call, Report& report) {
  if (call.handle == 0 || !message.send_invalidate) {
    return Outcome::not_applicable;
  }
  if (message.invalidated != call.handle) {
    report("Reply invalidates handle {:#010x}, but its Call allows only {:#010x}{}", message.invalidated,
           call.handle, owner_of_invalidated(message, call.open))
        .with(*call.open->call);
  }
  return Outcome::done;
}

Outcome check_inv_handle_not_returned(const flow::Message& message, const Permitted& call, Report& report) {
  const uint32_t returned = message.header->inv_handle.value_or(0);
  if (returned != call.handle) {
    report("Reply has {:#010x} in rdma_inv_handle, but its Call has {:#010x}", returned, call.handle)
        .with(*call.open->call);
  }
  return Outcome::done;
}

// Whether the Requester has said, or may have said, that it wants no invalidation (xcharext-02 §3.2): by what
// it conveyed, or by a RESPXCH to what the Responder had requested.
bool may_have_declined(const flow::Message& reply) {
  const history::Terms& requester = terms_of_receiver(reply);
  const history::Reported* reported = requester.find(rpcrdma::xchar::Id::reqreminv);
  return requester.missed || terms_of_sender(reply).missed || (reported != nullptr && reported->number == 0U);
}

// Whether a Responder's RNIC can invalidate at all shows once it has done so.
Outcome check_missed_invalidation(const flow::Message& message, const Permitted& call, Report& report) {
  if (call.handle == 0 || may_have_declined(message)) {
    return Outcome::not_applicable;
  }
  if (!message.send_invalidate) {
    report("Reply is a plain Send, although its Call allows it to invalidate handle {:#010x}", call.handle)
        .with(*call.open->call)
        .at_most(message.standing->invalidated_before ? Certainty::likely : Certainty::possible);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule unoffered_inv_handle = {
    .id = "INV-01",
    .name = "unoffered-inv-handle",
    .source = {"version-two-02", "5.2.3"},
    .also = "reminv-design-09",
    .about = kinds::calls & kinds::version_two,
    .message = check_unoffered_inv_handle,
};

constinit const Rule unpermitted_invalidation = {
    .id = "INV-02",
    .name = "unpermitted-invalidation",
    .source = {"version-two-02", "5.2.3"},
    .also = "reminv-design-09",
    .needs = needs_both_ways | needs_unbroken,
    .about = (kinds::replies | kinds::optionals) & kinds::version_two,
    .message = given<permitted_by_call, check_unpermitted_invalidation>,
};

constinit const Rule other_handle_invalidated = {
    .id = "INV-03",
    .name = "other-handle-invalidated",
    .source = {"version-two-02", "5.2.3"},
    .also = "reminv-design-09",
    .needs = needs_both_ways | needs_unbroken,
    .about = (kinds::replies | kinds::optionals) & kinds::version_two,
    .message = given<permitted_by_call, check_other_handle_invalidated>,
};

constinit const Rule inv_handle_not_returned = {
    .id = "INV-04",
    .name = "inv-handle-not-returned",
    .source = {"version-two-02", "5.2.3"},
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies & kinds::version_two,
    .message = given<permitted_by_call, check_inv_handle_not_returned>,
};

constinit const Rule missed_invalidation = {
    .id = "INV-05",
    .name = "missed-invalidation",
    .severity = Severity::warning,
    .source = {"version-two-02", "5.2.3"},
    .also = "reminv-design-09",
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies & kinds::version_two,
    .message = given<permitted_by_call, check_missed_invalidation>,
};

}  // namespace steertag::rules
