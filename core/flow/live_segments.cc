#include "flow/live_segments.h"

namespace steertag::flow {

void LiveSegments::add(uint32_t handle, const Place& place) {
  uint32_t node = free_;
  if (node == kNone) {
    node = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[node].next;
  }
  Head& head = heads_[handle];
  nodes_[node] = {place, head.newest};
  head.newest = node;
  ++head.places;
}

void LiveSegments::remove(uint32_t handle, uint32_t exchange) {
  const auto head = heads_.find(handle);
  if (head == heads_.end()) {
    return;
  }
  uint32_t* link = &head->second.newest;
  while (*link != kNone) {
    const uint32_t node = *link;
    if (nodes_[node].place.exchange == exchange) {
      *link = nodes_[node].next;
      nodes_[node].next = free_;
      free_ = node;
      --head->second.places;
    } else {
      link = &nodes_[node].next;
    }
  }
  if (head->second.newest == kNone) {
    heads_.erase(head);
  }
}

void LiveSegments::mark_replied(uint32_t handle, uint32_t exchange) {
  for (uint32_t node = newest(handle); node != kNone; node = nodes_[node].next) {
    if (nodes_[node].place.exchange == exchange) {
      nodes_[node].place.replied = true;
    }
  }
}

void LiveSegments::mark_rescinded(uint32_t handle, const Stamp& at) {
  for (uint32_t node = newest(handle); node != kNone; node = nodes_[node].next) {
    nodes_[node].place.rescinded = at;
  }
}

const LiveSegments::Place* LiveSegments::find(uint32_t handle, uint64_t offset, bool reading,
                                              uint32_t prefer) const {
  const Place* best = nullptr;
  int best_rank = -1;
  for (uint32_t node = newest(handle); node != kNone; node = nodes_[node].next) {
    const Place& place = nodes_[node].place;
    if (!place.holds(offset)) {
      continue;
    }
    const int rank = (for_reading(place.kind) == reading ? 4 : 0) + (place.live() ? 2 : 0) +
                     (place.exchange == prefer ? 1 : 0);
    if (rank > best_rank) {
      best = &place;
      best_rank = rank;
    }
  }
  return best;
}

// How many bytes from `offset` on the Call of this node holds, in the nodes from this one on: those of one
// Call stand together.
uint64_t LiveSegments::reach(uint32_t node, uint64_t offset, bool reading) const {
  const uint32_t exchange = nodes_[node].place.exchange;
  uint64_t done = 0;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = node; i != kNone && nodes_[i].place.exchange == exchange; i = nodes_[i].next) {
      const Place& place = nodes_[i].place;
      if (for_reading(place.kind) == reading && place.holds(offset + done)) {
        done += place.length - (offset + done - place.offset);
        more = true;
      }
    }
  }
  return done;
}

std::optional<uint32_t> LiveSegments::find_whole(uint32_t handle, uint64_t offset, uint64_t length,
                                                 bool reading) const {
  uint32_t tried = kNone;
  for (uint32_t node = newest(handle); node != kNone; node = nodes_[node].next) {
    const Place& place = nodes_[node].place;
    if (place.exchange == tried) {
      continue;
    }
    tried = place.exchange;
    if (place.live() && reach(node, offset, reading) >= length) {
      return place.exchange;
    }
  }
  return std::nullopt;
}

const LiveSegments::Place* LiveSegments::find_any(uint32_t handle) const {
  const Place* any = nullptr;
  for (uint32_t node = newest(handle); node != kNone; node = nodes_[node].next) {
    const Place& place = nodes_[node].place;
    if (any == nullptr || (!any->live() && place.live())) {
      any = &place;
    }
  }
  return any;
}

const LiveSegments::Place* LiveSegments::find_overlap(uint32_t handle, uint64_t offset,
                                                      uint32_t length) const {
  for (uint32_t node = newest(handle); node != kNone; node = nodes_[node].next) {
    const Place& place = nodes_[node].place;
    if (!place.replied && place.shares(offset, length)) {
      return &place;
    }
  }
  return nullptr;
}

}  // namespace steertag::flow
