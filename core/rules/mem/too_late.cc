// RDMA operations on memory whose time is over: the RPC was answered, the results
// were confirmed, or the handle was invalidated.

#include "rules/report.h"

namespace steertag::rules {
namespace {

Outcome check_access_after_reply(const flow::Access& access, Report& report) {
  if (access.verdict == flow::Verdict::forgotten) {
    return Outcome::undecided;
  }
  if (access.verdict == flow::Verdict::after_reply && access.retired && access.retired->over) {
    if (access.unsure) {
      return Outcome::undecided;
    }
    const bool result = access.retired->kind == flow::ChunkKind::result;
    report("RDMA {} of {} bytes under handle {:#010x} comes after the {}", access.reading ? "Read" : "Write",
           access.range.length, access.range.handle, result ? "RDMA_DONE for them" : "Reply")
        .with(access.retired->advertised)
        .with(*access.retired->over);
  }
  return Outcome::done;
}

Outcome check_access_after_invalidation(const flow::Access& access, Report& report) {
  if (access.verdict == flow::Verdict::forgotten) {
    return Outcome::undecided;
  }
  if (access.verdict == flow::Verdict::after_invalidate && access.retired && access.retired->over) {
    if (access.unsure) {
      return Outcome::undecided;
    }
    report("RDMA {} of {} bytes under handle {:#010x}, which a Send With Invalidate had already invalidated",
           access.reading ? "Read" : "Write", access.range.length, access.range.handle)
        .with(*access.retired->over);
  }
  return Outcome::done;
}

// The same handle twice: an RNIC answers that with the end of the connection.
Outcome check_second_invalidation(const flow::Message& message, Report& report) {
  if (!message.send_invalidate) {
    return Outcome::not_applicable;
  }
  if (const std::optional<Stamp>& before = message.standing->already_invalidated) {
    report("Send With Invalidate names handle {:#010x}, which an earlier one had already invalidated",
           message.invalidated)
        .with(*before);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule access_after_reply = {
    .id = "MEM-06",
    .name = "access-after-reply",
    .source = {"RFC 8166", "4.4.1"},
    .also = "rfc5666",
    .needs = needs_both_ways | needs_no_loss,
    .access = check_access_after_reply,
    .plain_access = plain::kept,
};

constinit const Rule access_after_invalidation = {
    .id = "MEM-07",
    .name = "use-of-invalidated-handle",
    .source = {"RFC 8797", "3.2"},
    .also = "version-two-02,reminv-design-09",
    .needs = needs_both_ways | needs_no_loss,
    .message = check_second_invalidation,
    .access = check_access_after_invalidation,
    .plain_message = plain::asked_with(plain::invalidates),
    .plain_access = plain::kept,
};

}  // namespace steertag::rules
