// What the table of Exchanges knows of the memory that Calls have offered, for
// the Standing of a message.

#include "flow/exchange_table.h"

namespace steertag::flow {

const Exchange* ExchangeTable::find_offer(Side owner, uint32_t handle) const {
  const LiveSegments::Place* place = live_[rdma::index(owner)].find_any(handle);
  return place == nullptr || place->replied ? nullptr : &exchange(place->exchange);
}

std::optional<Stamp> ExchangeTable::rescinded(Side owner, uint32_t handle) const {
  const LiveSegments::Place* place = live_[rdma::index(owner)].find_any(handle);
  if (place == nullptr) {
    return access_.rescinded(owner, handle);
  }
  const Exchange& over = exchange(place->exchange);
  return place->replied && over.invalidated == handle ? over.reply : std::nullopt;
}

std::optional<Overlap> ExchangeTable::find_overlap(const Message& call) const {
  const auto look = [&](const base::List<rpcrdma::WriteChunk>& chunks) -> std::optional<Overlap> {
    for (const rpcrdma::WriteChunk& chunk : chunks) {
      for (const rpcrdma::Segment& ours : chunk.target) {
        const LiveSegments::Place* place = ours.length == 0 ? nullptr
                                                            : live_[rdma::index(call.from)].find_overlap(
                                                                  ours.handle, ours.offset, ours.length);
        if (place != nullptr && exchange(place->exchange).xid != call.header->xid) {
          const Exchange& other = exchange(place->exchange);
          return Overlap{&ours, &other, &other.segments[place->segment]};
        }
      }
    }
    return std::nullopt;
  };
  const std::optional<Overlap> found = look(call.header->chunks.writes);
  return found ? found : look(call.header->chunks.reply);
}

}  // namespace steertag::flow
