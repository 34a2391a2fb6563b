// What a Requester reads of a Reply that leaves its results to be read, before it
// confirms them by RDMA_DONE (RFC 5666 §3.5, §3.8).

#include <absl/container/inlined_vector.h>

#include <algorithm>

#include "base/counted.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// What a Reply advertises at one Position, and what was read of it.
struct Amount {
  uint32_t position = 0;
  uint64_t bytes = 0, read = 0;
};

Outcome check_done_before_read(const flow::Exchange& exchange, Report& report) {
  if (!report.rfc5666() || !exchange.done) {
    return Outcome::not_applicable;
  }
  Amount together;
  absl::InlinedVector<Amount, 8> chunks;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    if (segment.kind != flow::ChunkKind::result) {
      continue;
    }
    auto chunk = std::find_if(chunks.begin(), chunks.end(),
                              [&](const Amount& one) { return one.position == segment.position; });
    if (chunk == chunks.end()) {
      chunk = chunks.insert(chunk, Amount{.position = segment.position});
    }
    for (Amount* sum : {&together, &*chunk}) {
      sum->bytes += segment.target.length;
      sum->read += segment.moved().total();
    }
  }
  const bool unread = std::any_of(chunks.begin(), chunks.end(), [](const Amount& one) {
    return one.read + 3 < one.bytes;  // roundup is nothing that one has to read
  });
  const auto finding = [&](Report::Entry entry) {
    entry.at(*exchange.done).with(*exchange.reply).blame(Blame::requester, exchange.requester);
    return entry;
  };
  if (exchange.undelivered != 0) {
    // The ends' taps may be apart: what the Responder sent can have been seen late.
    finding(report("RDMA_DONE, but {} requested by RDMA Reads of the Reply were still in flight",
                   base::counted(exchange.undelivered, "byte")))
        .at_most(Certainty::possible);
  } else if (unread) {
    finding(report("RDMA_DONE, but only {} of the {} bytes that the Reply advertises were read",
                   together.read, together.bytes))
        .severity(together.read == 0 ? Severity::note : Severity::warning)
        .at_most(Certainty::likely);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule done_before_read = {
    .id = "MEM-13",
    .name = "done-before-read",
    .source = {"RFC 5666", "3.5"},
    .needs = needs_both_ways | needs_no_loss,
    .exchange = check_done_before_read,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
