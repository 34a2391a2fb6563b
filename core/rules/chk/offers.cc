// The memory that a Call advertises, segment by segment.

#include <absl/container/inlined_vector.h>

#include "base/counted.h"
#include "rules/advertised.h"
#include "rules/ending.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

Outcome check_zero_handle(const flow::Message& message, Report& report) {
  if (message.header->chunks.empty()) {
    return Outcome::not_applicable;
  }
  each_advertised(message.header->chunks, [&](const AdvertisedSegment& one) {
    if (one.target->handle == 0 && one.target->length != 0) {
      report("{}, of {} bytes, has handle 0", one.name(), one.target->length).in(one.at);
    }
  });
  return Outcome::done;
}

bool share_bytes(const rpcrdma::Segment& a, const rpcrdma::Segment& b) {
  if (a.handle != b.handle || a.length == 0 || b.length == 0) {
    return false;
  }
  return a.offset >= b.offset ? a.offset - b.offset < b.length : b.offset - a.offset < a.length;
}

// Reading the same bytes twice does no harm.
Outcome check_overlapping_segments(const flow::Message& message, Report& report) {
  if (message.header->chunks.segments() < 2) {
    return Outcome::not_applicable;
  }
  constexpr size_t kMost = 256;  // segments that are compared with each other; Calls have a few dozen
  absl::InlinedVector<AdvertisedSegment, 8> segments;
  size_t count = 0;
  each_advertised(message.header->chunks, [&](const AdvertisedSegment& one) {
    if (++count <= kMost) {
      segments.push_back(one);
    }
  });
  for (size_t i = 1; i < segments.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const bool written =
          segments[i].kind != flow::ChunkKind::read || segments[k].kind != flow::ChunkKind::read;
      if (written && share_bytes(*segments[i].target, *segments[k].target)) {
        report("{} and {} overlap under handle {:#010x}: results would overwrite each other",
               segments[k].name(), segments[i].name(), segments[i].target->handle)
            .in(segments[i].at);
        return Outcome::done;  // one shows the mistake
      }
    }
  }
  return count > kMost ? Outcome::undecided : Outcome::done;
}

// The earlier Call may have been given up by its Requester, which is not on the
// wire, and more likely the longer it has waited.
Outcome check_memory_offered_twice(const flow::Message& message, Report& report) {
  const rpcrdma::ChunkLists& chunks = message.header->chunks;
  if (chunks.writes.empty() && chunks.reply.empty()) {
    return Outcome::not_applicable;
  }
  if (const std::optional<flow::Overlap>& overlap = message.standing->overlap) {
    auto entry = report(
        "{} bytes at {:#018x} under handle {:#010x} are advertised for results, but belong to XID {:#010x}, "
        "which is still open",
        overlap->ours->length, overlap->ours->offset, overlap->ours->handle, overlap->other->xid);
    const bool old =
        overlap->other->call && message.at.time_ns - overlap->other->call->time_ns >= kPatienceNs;
    entry.in(overlap->ours->at).at_most(old ? Certainty::possible : Certainty::likely);
    if (overlap->other->call) {
      entry.with(*overlap->other->call);
    }
  }
  return Outcome::done;
}

// The bytes in front of the last segment of a Write chunk, where that has one to three and rounds them up to
// a multiple of four; unset otherwise.
std::optional<uint64_t> before_roundup(const rpcrdma::WriteChunk& chunk) {
  const auto& target = chunk.target;
  if (target.size() < 2 || target.back().length == 0 || target.back().length > 3) {
    return std::nullopt;
  }
  const uint64_t before = chunk.length() - target.back().length;
  return before % 4 != 0 && chunk.length() % 4 == 0 ? std::optional(before) : std::nullopt;
}

// Such a segment receives padding alone where the segments in front of it hold the largest result that the
// Call allows. It may also be the rest of a buffer that is not aligned, so this is never sure.
Outcome check_roundup_segment(const flow::Exchange& exchange, Report& report) {
  const auto& writes = exchange.call_message.header.chunks.writes;
  if (!exchange.call || writes.empty()) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = legible(exchange.call_message); outcome != Outcome::done) {
    return outcome;
  }
  Outcome outcome = Outcome::done;
  for (size_t c = 0; c < writes.size(); ++c) {
    const std::optional<uint64_t> before = before_roundup(writes[c]);
    if (!before) {
      continue;
    }
    const nfs::CallWalk* walk = report.upper_layer().call();
    if (walk == nullptr || c >= walk->wanted.size() || walk->wanted[c].most == nfs::Wanted::kUnbounded) {
      outcome = Outcome::undecided;
    } else if (walk->wanted[c].most <= *before) {
      report(
          "Write chunk {} ends in a segment of {}, which makes its {} bytes a multiple of 4 and can only "
          "receive padding",
          c + 1, base::counted(writes[c].target.back().length, "byte"), *before)
          .in(writes[c].target.back().at)
          .of_call(exchange)
          .at_most(Certainty::possible);
    }
  }
  return outcome;
}

}  // namespace

constinit const Rule zero_handle = {
    .id = "CHK-04",
    .name = "zero-handle",
    .severity = Severity::warning,
    .source = {"RFC 8166", "3.4.3"},
    .about = kinds::calls | kinds::unclear,
    .message = check_zero_handle,
    .plain_message = plain::asked_with(plain::chunks),
};

constinit const Rule overlapping_segments = {
    .id = "CHK-05",
    .name = "overlapping-segments",
    .severity = Severity::warning,
    .source = {"RFC 8166", "3.4.6"},
    .about = kinds::calls | kinds::unclear,
    .message = check_overlapping_segments,
    .plain_message = plain::asked_with(plain::chunks),
};

constinit const Rule memory_offered_twice = {
    .id = "CHK-06",
    .name = "memory-of-another-call",
    .severity = Severity::warning,
    .source = {"RFC 8166", "8.1.3"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::calls,
    .message = check_memory_offered_twice,
    .plain_message = plain::asked_with(plain::writes | plain::reply_chunk),
};

constinit const Rule roundup_segment = {
    .id = "CHK-16",
    .name = "roundup-segment",
    .severity = Severity::warning,
    .source = {"RFC 8166", "3.4.6.2"},
    .exchange = check_roundup_segment,
    .plain_exchange = plain::asked_with(plain::writes),
};

}  // namespace steertag::rules
