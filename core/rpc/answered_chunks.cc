#include "rpc/answered_chunks.h"

namespace steertag::rpc {
namespace {

// The last segment that is advertised for results, or returned; null where there is none.
const rpcrdma::Segment* last_result(const rpcrdma::ChunkLists& chunks) {
  for (const auto* list : {&chunks.reply, &chunks.writes}) {
    if (!list->empty() && !list->back().target.empty()) {
      return &list->back().target.back();
    }
  }
  return nullptr;
}

// A segment that is not withdrawn, of a Call that is open or was answered just now, begins where `named`
// does.
bool for_results(const memory::Advertised& advertised, Side owner, const rpcrdma::Segment& named) {
  const memory::SegmentIndex& live = advertised.live(owner);
  const memory::SegmentIndex::Query byte =
      memory::SegmentIndex::Query::byte(named.offset, memory::SegmentIndex::Among::all);
  const memory::SegmentIndex::Node found = live.find(named.handle, memory::kToWrite, byte);
  return found != memory::SegmentIndex::kNone && live.at(found).begin == named.offset;
}

}  // namespace

void AnsweredChunks::note(const Exchange& answered) {
  if (answered.segments.empty()) {
    return;
  }
  const SegmentFlow& last = answered.segments.back();
  if (last.kind == ChunkKind::reply || last.kind == ChunkKind::result) {
    kept_.add({answered.requester, last.kind == ChunkKind::result, answered.xid, last.target.handle,
               last.target.offset},
              [](const Kept&) { return false; });
  }
}

bool AnsweredChunks::wanted(Side requester, const rpcrdma::Segment& named) const {
  return kept_.find([&](const Kept& one) {
    return one.requester == requester && !one.left && one.handle == named.handle &&
           one.offset == named.offset;
  }) != nullptr;
}

bool AnsweredChunks::left(Side requester, uint32_t xid, const rpcrdma::Segment& named) const {
  return kept_.find([&](const Kept& one) {
    return one.requester == requester && one.left && one.xid == xid && one.handle == named.handle &&
           one.offset == named.offset;
  }) != nullptr;
}

bool answers_otherwise(const Message& message, const AnsweredChunks& answered,
                       const memory::Advertised& advertised) {
  const rpcrdma::ChunkLists& chunks = message.header->chunks;
  const Side receiver = rdma::other(message.from);
  if (!chunks.reads.empty()) {
    return chunks.has_position_zero() &&
           answered.left(receiver, message.header->xid, chunks.reads.back().target);
  }
  const rpcrdma::Segment* named = last_result(chunks);
  return named != nullptr && (answered.wanted(receiver, *named) || for_results(advertised, receiver, *named));
}

}  // namespace steertag::rpc
