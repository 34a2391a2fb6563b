#include "history/memory_standing.h"

namespace steertag::history {

const Exchange* find_advertiser(const memory::Advertised& advertised, Side owner, uint32_t handle) {
  const memory::SegmentIndex& live = advertised.live(owner);
  const memory::SegmentIndex::Node node = live.find_any(handle);
  return node == memory::SegmentIndex::kNone || !live.live(node) ? nullptr
                                                                 : live.at(node).advertisement->exchange;
}

std::optional<Stamp> find_invalidated(const memory::Advertised& advertised, Side owner, uint32_t handle) {
  const memory::SegmentIndex& live = advertised.live(owner);
  const memory::SegmentIndex::Node node = live.find_any(handle);
  if (node != memory::SegmentIndex::kNone) {
    return live.live(node) ? std::nullopt : live.invalidated(node);
  }
  memory::AccessJudge* const judge = advertised.judge();
  const Retired* last = judge != nullptr ? judge->retired(owner).find(handle) : nullptr;
  return last != nullptr && last->invalidated ? last->over : std::nullopt;
}

std::optional<Overlap> find_overlap(const memory::Advertised& advertised, const Message& call) {
  const memory::SegmentIndex& live = advertised.live(call.from);
  for (const auto* chunks : {&call.header->chunks.writes, &call.header->chunks.reply}) {
    for (const rpcrdma::WriteChunk& chunk : *chunks) {
      for (const rpcrdma::Segment& ours : chunk.target) {
        if (ours.length == 0) {
          continue;
        }
        const memory::SegmentIndex::Query bytes{.begin = ours.offset,
                                                .last = memory::last_of(ours.offset, ours.length),
                                                .among = memory::SegmentIndex::Among::open};
        const memory::SegmentIndex::Node write = live.find(ours.handle, memory::kToWrite, bytes);
        const memory::SegmentIndex::Node read = live.find(ours.handle, memory::kToRead, bytes);
        if (write == memory::SegmentIndex::kNone && read == memory::SegmentIndex::kNone) {
          continue;
        }
        const bool newer =
            write == memory::SegmentIndex::kNone ||
            (read != memory::SegmentIndex::kNone && live.at(read).ordinal > live.at(write).ordinal);
        const memory::Place& place = live.at(newer ? read : write);
        if (place.advertisement->exchange->xid != call.header->xid) {
          return Overlap{&ours, place.advertisement->exchange, &place.advertisement->segment(place)};
        }
      }
    }
  }
  return std::nullopt;
}

void fill_memory(Standing& s, const Message& message, const memory::Advertised& advertised) {
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
