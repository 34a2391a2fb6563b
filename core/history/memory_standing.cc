#include "history/memory_standing.h"

namespace steertag::history {

using memory::Advertised;
using memory::SegmentIndex;

namespace {

using Node = SegmentIndex::Node;
constexpr Node kNone = SegmentIndex::kNone;

// An unanswered Call that advertises the handle; null where there is none.
const Exchange* find_advertiser(const Advertised& advertised, Side owner, uint32_t handle) {
  const SegmentIndex& live = advertised.live(owner);
  const Node node = live.find_any(handle);
  return node == kNone || !live.live(node) ? nullptr : live.at(node).advertisement->exchange;
}

// The Send With Invalidate that invalidated the handle, which no Call has advertised since.
std::optional<Stamp> find_invalidated(const Advertised& advertised, Side owner, uint32_t handle) {
  const SegmentIndex& live = advertised.live(owner);
  const Node node = live.find_any(handle);
  if (node != kNone) {
    return live.live(node) ? std::nullopt : live.invalidated(node);
  }
  memory::AccessJudge* const judge = advertised.judge();
  const Retired* last = judge != nullptr ? judge->retired(owner).find(handle) : nullptr;
  return last != nullptr && last->invalidated ? last->over : std::nullopt;
}

// Memory for results that this Call advertises although it is part of another unanswered Call.
std::optional<Overlap> find_overlap(const Advertised& advertised, const Message& call) {
  const SegmentIndex& live = advertised.live(call.from);
  for (const auto* chunks : {&call.header->chunks.writes, &call.header->chunks.reply}) {
    for (const rpcrdma::WriteChunk& chunk : *chunks) {
      for (const rpcrdma::Segment& ours : chunk.target) {
        if (ours.length == 0) {
          continue;
        }
        const SegmentIndex::Query bytes{.begin = ours.offset,
                                        .last = memory::last_of(ours.offset, ours.length),
                                        .among = SegmentIndex::Among::open};
        const Node write = live.find(ours.handle, memory::kToWrite, bytes);
        const Node read = live.find(ours.handle, memory::kToRead, bytes);
        if (write == kNone && read == kNone) {
          continue;
        }
        const bool newer =
            write == kNone || (read != kNone && live.at(read).ordinal > live.at(write).ordinal);
        const memory::Place& place = live.at(newer ? read : write);
        if (place.advertisement->exchange->xid != call.header->xid) {
          return Overlap{&ours, place.advertisement->exchange, &place.advertisement->segment(place)};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

void fill_memory(Standing& s, const Message& message, const Advertised& advertised) {
  s.overlap.reset();
  s.also_advertises = nullptr;
  s.invalidates = nullptr;
  s.already_invalidated.reset();
  if (message.direction == Direction::call) {
    s.overlap = find_overlap(advertised, message);
    const uint32_t named = message.header->inv_handle.value_or(0);
    const Exchange* advertiser = named != 0 ? find_advertiser(advertised, message.from, named) : nullptr;
    s.also_advertises =
        advertiser != nullptr && advertiser->xid != message.header->xid ? advertiser : nullptr;
  }
  if (message.send_invalidate) {
    const Side owner = rdma::other(message.from);
    s.invalidates = find_advertiser(advertised, owner, message.invalidated);
    s.already_invalidated = find_invalidated(advertised, owner, message.invalidated);
  }
}

}  // namespace steertag::history
