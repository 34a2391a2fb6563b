// LiveSegments: the memory that one side has advertised and not taken back, by
// handle (RFC 8166 §3.4.3). An RDMA operation names a handle and an offset;
// here it finds the segment of the Call, or of the Reply, that offered them.
//
// A handle may be live in several segments at once: two segments under one
// registration, or Calls that share a persistent one. The newest advertisement
// that holds the offset wins, one whose Reply has not been seen, and which is not
// invalidated, before others.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "flow/exchange.h"

namespace steertag::flow {

class LiveSegments {
 public:
  struct Place {
    uint32_t exchange = 0;  // the caller's number of the exchange
    uint32_t segment = 0;   // index into Exchange::segments
    uint64_t offset = 0;    // segment's first byte
    uint32_t length = 0;
    ChunkKind kind = ChunkKind::read;
    bool replied = false;            // result: the RDMA_DONE has been seen
    std::optional<Stamp> rescinded;  // a Send With Invalidate has named the handle since

    bool live() const { return !replied && !rescinded; }
    bool holds(uint64_t at) const { return at >= offset && at - offset < length; }
    bool shares(uint64_t begin, uint32_t bytes) const {
      return bytes != 0 && length != 0 &&
             (begin >= offset ? begin - offset < length : offset - begin < bytes);
    }
  };

  // Places under one handle. Real Requesters that use one handle for everything reach some thousand.
  static constexpr uint32_t kMaxUnderHandle = 8192;

  bool has_room(uint32_t handle) const {
    const auto head = heads_.find(handle);
    return head == heads_.end() || head->second.places < kMaxUnderHandle;
  }
  void add(uint32_t handle, const Place& place);    // precondition: has_room()
  void remove(uint32_t handle, uint32_t exchange);  // all places of that exchange under the handle
  void mark_replied(uint32_t handle, uint32_t exchange);
  void mark_rescinded(uint32_t handle, const Stamp& at);  // all places under the handle, whosever they are

  // The place that holds `offset`: one for RDMA Reads (`reading`) or for RDMA
  // Writes where there is such a one, otherwise of any kind; null if there is none.
  // `prefer`: the exchange that wins among equals.
  const Place* find(uint32_t handle, uint64_t offset, bool reading, uint32_t prefer = UINT32_MAX) const;
  // Any place under the handle: one that is live where there is such a one.
  const Place* find_any(uint32_t handle) const;
  // Where several Calls offer these bytes: the exchange of an unanswered one whose segments of that kind hold
  // them all; unset if there is none.
  std::optional<uint32_t> find_whole(uint32_t handle, uint64_t offset, uint64_t length, bool reading) const;
  // A place, of a Call that is unanswered, which shares bytes with these.
  const Place* find_overlap(uint32_t handle, uint64_t offset, uint32_t length) const;
  // Every place, of a Call that is unanswered, which shares bytes with these.
  template <typename Visit>
  void each_overlap(uint32_t handle, uint64_t offset, uint32_t length, const Visit& visit) const {
    for (uint32_t node = newest(handle); node != kNone; node = nodes_[node].next) {
      const Place& place = nodes_[node].place;
      if (!place.replied && place.shares(offset, length)) {
        visit(place);
      }
    }
  }
  bool knows(uint32_t handle) const { return heads_.contains(handle); }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    Place place;
    uint32_t next = kNone;
  };

  struct Head {
    uint32_t newest = kNone;
    uint32_t places = 0;
  };

  uint32_t newest(uint32_t handle) const {
    const auto head = heads_.find(handle);
    return head == heads_.end() ? kNone : head->second.newest;
  }
  uint64_t reach(uint32_t node, uint64_t offset, bool reading) const;

  absl::flat_hash_map<uint32_t, Head> heads_;  // by handle
  std::vector<Node> nodes_;
  uint32_t free_ = kNone;
};

}  // namespace steertag::flow
