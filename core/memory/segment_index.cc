#include "memory/segment_index.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace steertag::memory {

SegmentIndex::Room SegmentIndex::reserve(uint32_t handle) {
  if (places_ == kMaxPlaces) {
    return Room::full;
  }
  Handle& under = handles_[handle];
  if (under.places == kMaxUnderHandle) {
    return Room::full;
  }
  ++places_;
  return ++under.places == 1 ? Room::first : Room::more;
}

SegmentIndex::Node SegmentIndex::add(const Place& place) {
  const auto found = handles_.find(place.handle);
  STEERTAG_CHECK(found != handles_.end());
  return forest_.add(found->second.roots[place.reading], place);
}

bool SegmentIndex::remove(Node node) {
  const auto found = handles_.find(at(node).handle);
  STEERTAG_CHECK(found != handles_.end() && found->second.places != 0);
  Handle& under = found->second;
  forest_.remove(under.roots[at(node).reading], node);
  --places_;
  if (--under.places != 0) {
    return false;
  }
  handles_.erase(found);
  return true;
}

size_t SegmentIndex::bytes() const {
  return forest_.bytes() + handles_.capacity() * (sizeof(std::pair<uint32_t, Handle>) + 1);
}

void SegmentIndex::shrink(size_t kept) {
  if (places_ == 0 && bytes() > kept) {
    handles_ = {};
    forest_ = {};
  }
}

void SegmentIndex::set(Node node, IntervalForest::State state) {
  forest_.set(handles_.find(at(node).handle)->second.roots[at(node).reading], node, state);
}

void SegmentIndex::invalidate(uint32_t handle, const Stamp& by) {
  const auto found = handles_.find(handle);
  if (found == handles_.end()) {
    return;
  }
  for (const Node root : found->second.roots) {
    const Node newest = forest_.newest(root, {.among = Among::all, .anywhere = true});
    if (newest != kNone) {
      found->second.invalidated = std::max(found->second.invalidated, at(newest).ordinal);
      found->second.invalidated_by = by;
    }
  }
}

std::optional<Stamp> SegmentIndex::invalidated(Node node) const {
  const auto found = handles_.find(at(node).handle);
  return found != handles_.end() && at(node).ordinal <= found->second.invalidated
             ? std::optional(found->second.invalidated_by)
             : std::nullopt;
}

// Where the newest was invalidated all were.
SegmentIndex::Node SegmentIndex::find(uint32_t handle, bool reading, const Query& query) const {
  const auto found = handles_.find(handle);
  if (found == handles_.end()) {
    return kNone;
  }
  const Node node = forest_.newest(found->second.roots[reading], query);
  const bool invalidated = node != kNone && at(node).ordinal <= found->second.invalidated;
  return query.among == Among::live && invalidated ? kNone : node;
}

SegmentIndex::Node SegmentIndex::find_any(uint32_t handle) const {
  for (const Among among : {Among::live, Among::all}) {
    const Node write = find(handle, kToWrite, {.among = among, .anywhere = true});
    const Node read = find(handle, kToRead, {.among = among, .anywhere = true});
    if (write != kNone || read != kNone) {
      return write == kNone                         ? read
             : read == kNone                        ? write
             : at(read).ordinal > at(write).ordinal ? read
                                                    : write;
    }
  }
  return kNone;
}

}  // namespace steertag::memory
