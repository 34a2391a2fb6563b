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
  const auto [head, fresh] = heads_.try_emplace(handle, kNone);
  nodes_[node] = {place, head->second};
  head->second = node;
}

void LiveSegments::remove(uint32_t handle, uint32_t exchange) {
  const auto head = heads_.find(handle);
  if (head == heads_.end()) {
    return;
  }
  uint32_t* link = &head->second;
  while (*link != kNone) {
    const uint32_t node = *link;
    if (nodes_[node].place.exchange == exchange) {
      *link = nodes_[node].next;
      nodes_[node].next = free_;
      free_ = node;
    } else {
      link = &nodes_[node].next;
    }
  }
  if (head->second == kNone) {
    heads_.erase(head);
  }
}

void LiveSegments::mark_replied(uint32_t handle, uint32_t exchange) {
  const auto head = heads_.find(handle);
  for (uint32_t node = head == heads_.end() ? kNone : head->second; node != kNone; node = nodes_[node].next) {
    if (nodes_[node].place.exchange == exchange) {
      nodes_[node].place.replied = true;
    }
  }
}

const LiveSegments::Place* LiveSegments::find(uint32_t handle, uint64_t offset, bool reading,
                                              uint32_t prefer) const {
  const auto head = heads_.find(handle);
  const Place* best = nullptr;
  int best_rank = -1;
  for (uint32_t node = head == heads_.end() ? kNone : head->second; node != kNone; node = nodes_[node].next) {
    const Place& place = nodes_[node].place;
    if (offset < place.offset || offset - place.offset >= place.length) {
      continue;
    }
    const int rank = ((place.kind == ChunkKind::read) == reading ? 4 : 0) + (place.replied ? 0 : 2) +
                     (place.exchange == prefer ? 1 : 0);
    if (rank > best_rank) {
      best = &place;
      best_rank = rank;
    }
  }
  return best;
}

const LiveSegments::Place* LiveSegments::find_any(uint32_t handle) const {
  const auto head = heads_.find(handle);
  const Place* any = nullptr;
  for (uint32_t node = head == heads_.end() ? kNone : head->second; node != kNone; node = nodes_[node].next) {
    const Place& place = nodes_[node].place;
    if (any == nullptr || (any->replied && !place.replied)) {
      any = &place;
    }
  }
  return any;
}

const LiveSegments::Place* LiveSegments::find_overlap(uint32_t handle, uint64_t offset,
                                                      uint32_t length) const {
  const auto head = heads_.find(handle);
  for (uint32_t node = head == heads_.end() ? kNone : head->second; node != kNone; node = nodes_[node].next) {
    const Place& place = nodes_[node].place;
    const bool apart =
        offset >= place.offset ? offset - place.offset >= place.length : place.offset - offset >= length;
    if (!place.replied && !apart) {
      return &place;
    }
  }
  return nullptr;
}

}  // namespace steertag::flow
