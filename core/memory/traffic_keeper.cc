#include "memory/traffic_keeper.h"

#include <algorithm>

namespace steertag::memory {
namespace {

Traffic::Part part_of(const Place& place, const rdma::RdmaOp& op) {
  const uint64_t begin = std::max(place.begin, op.memory.offset);
  const uint64_t last = std::min(place.last, last_of(op.memory.offset, op.memory.length));
  return {begin - place.begin, static_cast<uint32_t>(begin - op.memory.offset),
          static_cast<uint32_t>(last - begin + 1)};
}

}  // namespace

SegmentIndex::Node Advertisement::find(const SegmentIndex& live, Side owner, uint32_t handle, bool reading,
                                       uint64_t byte) const {
  const std::vector<SegmentIndex::Node>& ours = places[rdma::index(owner)];
  auto behind = std::upper_bound(
      ours.begin(), ours.end(), std::tuple(reading, handle, byte, UINT32_MAX),
      [&](const auto& wanted, SegmentIndex::Node node) { return wanted < place_order(live.at(node)); });
  while (behind != ours.begin()) {
    const Place& place = live.at(*--behind);
    if (place.reading != reading || place.handle != handle || (!place.empty() && place.reach < byte)) {
      break;
    }
    if (place.holds(byte)) {
      return *behind;
    }
  }
  return SegmentIndex::kNone;
}

void TrafficKeeper::add(Side owner, Node node, const rdma::RdmaOp& op) {
  const Place& place = live_[rdma::index(owner)].at(node);
  TrafficRef& traffic = place.advertisement->segment(place).traffic;
  if (!traffic) {
    traffic = pool_.make();
  } else if (!traffic.alone()) {
    traffic = pool_.make(*traffic);
  }
  const bool of_reply = place.advertisement->segment(place).kind == ChunkKind::reply;
  pool_.add(traffic, op, part_of(place, op), of_reply ? reply_limit_ : payload_limit_);
}

void TrafficKeeper::add_read(Side owner, const rdma::RdmaOp& op, uint64_t begin, uint64_t last) {
  SegmentIndex& live = live_[rdma::index(owner)];
  fresh_ = SegmentIndex::kNone;
  live.each_overlap(op.memory.handle, kToRead, begin, last, [&](Node node) { visit(live, node, op); });
  for (const Node node : joined_) {
    live.set(node, {.open = true, .leads = false});
  }
  joined_.clear();
}

void TrafficKeeper::visit(SegmentIndex& live, Node node, const rdma::RdmaOp& op) {
  Place& place = live.at(node);
  TrafficRef& traffic = place.advertisement->segment(place).traffic;
  const bool first = !traffic;
  if (first && fresh_ != SegmentIndex::kNone && live.at(fresh_).begin == place.begin &&
      live.at(fresh_).last == place.last) {
    return join(live, node, fresh_);
  }
  if (first) {
    traffic = pool_.make();
    fresh_ = node;
  }
  pool_.add(traffic, op, part_of(place, op), payload_limit_);
}

void TrafficKeeper::join(SegmentIndex& live, Node node, Node with) {
  Place& place = live.at(node);
  Place& other = live.at(with);
  place.advertisement->segment(place).traffic = other.advertisement->segment(other).traffic;
  if (other.next_sharer == SegmentIndex::kNone) {
    other.next_sharer = other.last_sharer = with;
  }
  place.next_sharer = other.next_sharer;
  place.last_sharer = with;
  live.at(other.next_sharer).last_sharer = node;
  other.next_sharer = node;
  joined_.push_back(node);
}

void TrafficKeeper::detach(Side owner, Node node) {
  SegmentIndex& live = live_[rdma::index(owner)];
  Place& place = live.at(node);
  if (place.next_sharer == SegmentIndex::kNone) {
    return;
  }
  const Node heir = place.next_sharer;
  live.at(place.next_sharer).last_sharer = place.last_sharer;
  live.at(place.last_sharer).next_sharer = place.next_sharer;
  place.next_sharer = place.last_sharer = SegmentIndex::kNone;
  if (live.at(heir).next_sharer == heir) {
    live.at(heir).next_sharer = live.at(heir).last_sharer = SegmentIndex::kNone;
  }
  if (place.leads) {
    live.set(heir, {.open = true, .leads = true});
  }
  TrafficRef& traffic = place.advertisement->segment(place).traffic;
  TrafficRef& clone = clones_[&*traffic];
  if (!clone) {
    clone = pool_.make(*traffic);
  }
  traffic = clone;
}

}  // namespace steertag::memory
