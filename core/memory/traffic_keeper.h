// TrafficKeeper: records what RDMA moved in the Traffic of the segments that it was moved for.
// Data that is read counts for every open Call that advertises those bytes, since the wire does
// not say which one was meant; open Calls that advertise exactly the same bytes share one
// Traffic. When one of them is closed it is detached: it gets a copy, to which later data is not
// added.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "flow/exchange.h"
#include "memory/segment_index.h"

namespace steertag::memory {

// Links an Exchange to its entries in the index: one Place for each of its segments (Exchange::segments) that
// is followed. Lives in the same Slot as the Exchange.
struct Advertisement {
  Exchange* exchange = nullptr;
  uint64_t ordinal = 0;  // that of its first place, never the same twice on a connection; 0: it has no place
  uint32_t seat = 0;     // in Seats, if the ordinal is not 0
  // By owner of the memory; in place_order().
  std::array<std::vector<SegmentIndex::Node>, 2> places;
  bool unreadable = false;  // the chunk lists of the Call cannot be decoded to their end

  SegmentFlow& segment(const Place& place) const { return exchange->segments[place.segment]; }
  size_t bytes() const { return (places[0].capacity() + places[1].capacity()) * sizeof(SegmentIndex::Node); }
  // The place that holds this byte; of several the one that begins last. kNone: there is none.
  SegmentIndex::Node find(const SegmentIndex& live, Side owner, uint32_t handle, bool reading,
                          uint64_t byte) const;
};

// Enters the byte range of the segment.
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

  TrafficKeeper(std::array<SegmentIndex, 2>& live, TrafficPool& pool, uint32_t payload_limit,
                uint32_t reply_limit)
      : live_(live), pool_(pool), payload_limit_(payload_limit), reply_limit_(reply_limit) {}

  // Records the part of `op` that lies in one segment, for that segment alone.
  void add(Side owner, Node node, const rdma::RdmaOp& op);
  // Records what `op` read of [begin, last], for all open segments there.
  void add_read(Side owner, const rdma::RdmaOp& op, uint64_t begin, uint64_t last);

  // The place is about to be closed or removed. If it shares its Traffic it gets a copy, to which data for
  // the open places is not added. Places that shared one Traffic and are detached before done_detaching()
  // share one copy.
  void detach(Side owner, Node node);
  void done_detaching() { clones_.clear(); }

 private:
  void visit(SegmentIndex& live, Node node, const rdma::RdmaOp& op);
  void join(SegmentIndex& live, Node node, Node with);

  std::array<SegmentIndex, 2>& live_;
  TrafficPool& pool_;
  const uint32_t payload_limit_, reply_limit_;
  // During add_read(): the latest place that got a Traffic of its own, and all that came to share one.
  Node fresh_ = SegmentIndex::kNone;
  std::vector<Node> joined_;
  absl::flat_hash_map<const Traffic*, TrafficRef> clones_;  // until done_detaching(): the copies, by original
};

}  // namespace steertag::memory
