// SegmentIndex: the segments that one side has advertised, by handle (RFC 8166 §3.4.3) and byte
// range, until their Exchange is reported. RetiredSegments has one of its own, for those after.
//
// A segment is open until the Reply or the RDMA_DONE that closes it is seen, and live if it is
// open and not invalidated. One handle may cover several segments at once: two under one
// registration, or those of Calls that share a persistent one. A lookup says whether it is for
// live, open or all segments (Among), and finds the newest of those that fit.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <optional>

#include "frame.h"
#include "memory/interval_forest.h"

namespace steertag::memory {

class SegmentIndex {
 public:
  using Node = IntervalForest::Node;
  using Query = IntervalForest::Query;
  using Among = IntervalForest::Among;
  static constexpr Node kNone = IntervalForest::kNone;
  // Places under one handle. Real Requesters that use one handle for everything have some thousands.
  static constexpr uint32_t kMaxUnderHandle = 8192;
  static constexpr size_t kMaxPlaces = 256 << 10;  // under all handles

  // Makes room for a place under the handle; unless it is `full`, add() follows.
  enum class Room : uint8_t { full, first, more };
  Room reserve(uint32_t handle);
  Node add(const Place& place);
  bool remove(Node node);  // whether that was the last place under its handle
  void set(Node node, IntervalForest::State state);
  void invalidate(uint32_t handle, const Stamp& by);  // all places under the handle, of any Call

  Place& at(Node node) { return forest_.at(node); }
  const Place& at(Node node) const { return forest_.at(node); }
  // Set where a Send With Invalidate has named the handle since.
  std::optional<Stamp> invalidated(Node node) const;
  bool live(Node node) const { return at(node).open && !invalidated(node); }

  // The newest place that fits. kNone: there is none.
  Node find(uint32_t handle, bool reading, const Query& query) const;
  // The newest place under the handle, for writing or reading; a live one where there is one.
  Node find_any(uint32_t handle) const;
  // Visits each open place that leads (Place::leads) and shares bytes with [begin, last].
  template <typename Visit>
  void each_overlap(uint32_t handle, bool reading, uint64_t begin, uint64_t last, const Visit& visit) const {
    if (const auto found = handles_.find(handle); found != handles_.end()) {
      forest_.each(found->second.roots[reading], begin, last, visit);
    }
  }
  size_t bytes() const;  // of the heap
  // If the index is empty, frees its memory where that is more than `kept` bytes.
  void shrink(size_t kept);
  template <typename Visit>
  void each_handle(const Visit& visit) const {
    for (const auto& [handle, trees] : handles_) {
      visit(handle);
    }
  }

 private:
  struct Handle {
    std::array<Node, 2> roots = {kNone, kNone};  // for writing, for reading
    uint32_t places = 0;
    uint64_t invalidated = 0;  // places up to this ordinal were invalidated ...
    Stamp invalidated_by;      // ... by this frame
  };

  absl::flat_hash_map<uint32_t, Handle> handles_;
  IntervalForest forest_;
  size_t places_ = 0;
};

}  // namespace steertag::memory
