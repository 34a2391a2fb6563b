// SegmentIndex: the segments that one side has advertised and not withdrawn, by handle
// (RFC 8166 §3.4.3) and by the bytes that they hold.
//
// A handle may be live in several segments at once: two segments under one
// registration, or Calls that share a persistent one. The newest wins, one whose Reply
// has not been seen, and which is not invalidated, before others.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <optional>

#include "flow/interval_forest.h"
#include "frame.h"

namespace steertag::flow {

class SegmentIndex {
 public:
  using Node = IntervalForest::Node;
  using Query = IntervalForest::Query;
  using Among = IntervalForest::Among;
  static constexpr Node kNone = IntervalForest::kNone;
  // Places under one handle. Real Requesters that use one handle for everything reach some thousand.
  static constexpr uint32_t kMaxUnderHandle = 8192;
  static constexpr size_t kMaxPlaces = 256 << 10;  // under all handles

  // Makes room for a place under the handle; unless it is `full`, add() follows.
  enum class Room : uint8_t { full, first, more };
  Room reserve(uint32_t handle);
  Node add(const Place& place);
  bool remove(Node node);  // whether that was the last place under its handle
  void set(Node node, IntervalForest::State state);
  void invalidate(uint32_t handle, const Stamp& by);  // all places under the handle, whosever they are

  Place& at(Node node) { return forest_.at(node); }
  const Place& at(Node node) const { return forest_.at(node); }
  // Set where a Send With Invalidate has named the handle since.
  std::optional<Stamp> invalidated(Node node) const;
  bool live(Node node) const { return at(node).open && !invalidated(node); }

  // The newest place that fits. kNone: there is none.
  Node find(uint32_t handle, bool reading, const Query& query) const;
  // The newest of either kind, a live one where there is one.
  Node find_any(uint32_t handle) const;
  // Each place that leads, of a Call that is unanswered, which shares bytes with these.
  template <typename Visit>
  void each_overlap(uint32_t handle, bool reading, uint64_t begin, uint64_t last, const Visit& visit) const {
    if (const auto found = handles_.find(handle); found != handles_.end()) {
      forest_.each(found->second.roots[reading], begin, last, visit);
    }
  }
  size_t bytes() const;  // of the heap
  // Frees more than `kept` bytes that nothing is in.
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
    uint64_t invalidated = 0;  // those advertised until then, by ordinal, were invalidated ...
    Stamp invalidated_by;      // ... here
  };

  absl::flat_hash_map<uint32_t, Handle> handles_;
  IntervalForest forest_;
  size_t places_ = 0;
};

}  // namespace steertag::flow
