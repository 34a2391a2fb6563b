// TrafficKeeper: puts what RDMA carried to the segments that it was carried for. What is
// read is read for every Call that advertises it, since nothing on the wire says for which:
// those that advertise the very same bytes share one Traffic, until one of them is answered.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "flow/exchange.h"
#include "flow/segment_index.h"

namespace steertag::flow {

// What one Exchange has advertised. It lives with the Exchange.
struct Advertisement {
  Exchange* exchange = nullptr;
  uint64_t ordinal =
      0;              // that its places have, never the same twice on a connection; 0: it advertises nothing
  uint32_t seat = 0;  // with an ordinal: in Seats
  // By owner of the memory, and in the order of: written or read, handle, offset.
  std::array<std::vector<SegmentIndex::Node>, 2> places;
  bool unreadable = false;  // nobody can make out all that the Call advertises

  SegmentFlow& segment(const Place& place) const { return exchange->segments[place.segment]; }
  size_t bytes() const { return (places[0].capacity() + places[1].capacity()) * sizeof(SegmentIndex::Node); }
  // The place that holds this byte: the one that begins nearest to it; kNone: there is none.
  SegmentIndex::Node find(const SegmentIndex& live, Side owner, uint32_t handle, bool reading,
                          uint64_t byte) const;
};

// Where the segment lies.
constexpr void set_bytes(Place& place, const rpcrdma::Segment& target) {
  if (target.length != 0) {
    place.begin = target.offset;
    place.last = last_of(target.offset, target.length);
  }
}

// The order of places in an Advertisement.
constexpr auto place_order(const Place& place) {
  return std::tuple(place.reading, place.handle, place.begin, place.segment);
}

class TrafficKeeper {
 public:
  using Node = SegmentIndex::Node;

  TrafficKeeper(std::array<SegmentIndex, 2>& live, TrafficPool& pool, uint32_t payload_limit)
      : live_(live), pool_(pool), payload_limit_(payload_limit) {}

  // The part of `op` that lies in one segment.
  void add(Side owner, Node node, const rdma::RdmaOp& op);
  // What was read of [begin, last], for all whose Calls are unanswered.
  void add_read(Side owner, const rdma::RdmaOp& op, uint64_t begin, uint64_t last);

  // An open place is to be closed or removed: from now on its Traffic is a copy that no open place adds to.
  // Of the places that are detached before done_detaching(), those that shared one share the copy.
  void detach(Side owner, Node node);
  void done_detaching() { clones_.clear(); }

 private:
  void visit(SegmentIndex& live, Node node, const rdma::RdmaOp& op);
  void join(SegmentIndex& live, Node node, Node with);

  std::array<SegmentIndex, 2>& live_;
  TrafficPool& pool_;
  const uint32_t payload_limit_;
  // While places are visited: the latest that was touched for the first time, and those that joined it.
  Node fresh_ = SegmentIndex::kNone;
  std::vector<Node> joined_;
  absl::flat_hash_map<const Traffic*, TrafficRef> clones_;  // while places are detached: what was copied
};

}  // namespace steertag::flow
