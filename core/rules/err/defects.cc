#include "rules/err/defects.h"

#include <fmt/core.h>

#include <algorithm>

#include "nfs/binding.h"
#include "nfs/cursor.h"
#include "rules/upper_layer.h"

namespace steertag::rules {
namespace {

constexpr size_t kManySegments = 16;  // of a chunk, that a server can be expected to take (RFC 8267 §6.4.2)

size_t most_segments(const rpcrdma::ChunkLists& chunks) {
  size_t most = chunks.reads.size();
  for (const auto* list : {&chunks.writes, &chunks.reply}) {
    for (const rpcrdma::WriteChunk& chunk : *list) {
      most = std::max(most, chunk.target.size());
    }
  }
  return most;
}

}  // namespace

bool misaligned_read(const flow::KeptMessage& call) {
  const auto& reads = call.header.chunks.reads;
  return std::any_of(reads.begin(), reads.end(),
                     [](const rpcrdma::ReadSegment& segment) { return segment.position % 4 != 0; });
}

bool ineligible_read(const flow::KeptMessage& call) {
  const auto& reads = call.header.chunks.reads;
  const bool data = std::any_of(reads.begin(), reads.end(),
                                [](const rpcrdma::ReadSegment& segment) { return segment.position != 0; });
  return data && call.has_rpc &&
         nfs::binding(call.rpc.program, call.rpc.version, call.rpc.procedure).arguments ==
             nfs::Eligible::none;
}

std::string plain_defect(const flow::KeptMessage& call) {
  const rpcrdma::TransportHeader& h = call.header;
  if (const auto& odd = call.decoded.odd_discriminator) {
    return fmt::format("the discriminator of {} is {}", odd->field, odd->value);
  }
  if (call.decoded.stop) {
    return call.decoded.stop->limit == wire::Limit::capture
               ? std::string()
               : fmt::format("the header ends inside {}", call.decoded.stop->field);
  }
  if (h.carries_payload() && call.length == call.decoded.header_length) {
    return "no RPC message follows the header";
  }
  if (h.is_nomsg() && h.chunks.position_zero_length() == 0) {
    return "NOMSG without a Position-Zero Read chunk";
  }
  if (h.carries_payload() && call.has_rpc && call.rpc.xid != h.xid) {
    return fmt::format("rdma_xid is {:#010x} and the XID of the RPC message {:#010x}", h.xid, call.rpc.xid);
  }
  return {};
}

std::optional<bool> walked_defect(const flow::Exchange& call) {
  UpperLayer upper;
  upper.begin(call);
  bool known = true;  // what each Read chunk is
  const bool ineligible = upper.arguments() == nfs::Eligible::none;
  for (const ReadChunk& chunk : upper.read_chunks()) {
    const bool fits = nfs::padded(chunk.length) == nfs::padded(chunk.count);
    if (ineligible || chunk.carries == ReadChunk::Carries::no_item ||
        (chunk.carries == ReadChunk::Carries::item && !fits)) {
      return true;
    }
    known &= chunk.carries != ReadChunk::Carries::unknown;
  }
  const auto& padding = call.call_message.header.padding;
  if (padding && (padding->align == 0 || !upper.call_padded())) {
    return true;  // nothing can be aligned to 0
  }
  const nfs::CallWalk* walk = upper.call();
  const bool misfit = walk != nullptr && call.call_message.header.is_nomsg() &&
                      (walk->reason == nfs::Reason::past_end || walk->reason == nfs::Reason::trailing);
  // Version two has RDMA2_ERR_CANT_REPLY for results without room.
  const bool of_results = call.version == 1;
  if (misfit || (of_results && upper.short_write_chunk())) {
    return true;
  }
  const bool cut =
      walk != nullptr ? walk->reason == nfs::Reason::not_captured : !call.call_message.payload_whole;
  const bool all_wanted =
      walk != nullptr && walk->wanted.size() >= call.call_message.header.chunks.writes.size();
  const bool clear = known && !padding && !call.call_message.header.is_nomsg() &&
                     (!of_results || all_wanted || call.call_message.header.chunks.writes.empty());
  return cut && !clear ? std::nullopt : std::optional(false);
}

bool results_written(const flow::Exchange& exchange) {
  return std::any_of(exchange.segments.begin(), exchange.segments.end(),
                     [](const flow::SegmentFlow& segment) {
                       const bool of_results =
                           segment.kind == flow::ChunkKind::write || segment.kind == flow::ChunkKind::reply;
                       return of_results && !segment.after_reply && segment.moved().total() != 0;
                     });
}

std::string possible_cause(const flow::KeptMessage& call) {
  const rpcrdma::ChunkLists& chunks = call.header.chunks;
  if (most_segments(chunks) > kManySegments) {
    return fmt::format("a chunk of {} segments", most_segments(chunks));
  }
  if (chunks.writes.size() > 1) {
    return fmt::format("{} Write chunks", chunks.writes.size());
  }
  return {};
}

}  // namespace steertag::rules
