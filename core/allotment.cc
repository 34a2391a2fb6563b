#include "allotment.h"

#include <algorithm>

namespace steertag {

uint32_t Allotment::of(const track::Arrival& arrival) {
  const link::Packet& packet = arrival.packet;
  const bool same = packet.source == source_ && packet.destination == destination_;
  const bool answer = packet.source == destination_ && packet.destination == source_;
  if (!latest_ || (!same && !answer)) {
    source_ = packet.source;
    destination_ = packet.destination;
    latest_ = allot(arrival);
  }
  ++packets_[*latest_];
  return *latest_;
}

uint32_t Allotment::allot(const track::Arrival& arrival) {
  const auto& [low, high] = std::minmax(arrival.packet.source, arrival.packet.destination);
  const Hosts hosts{low, high};
  if (const auto known = pairs_.find(hosts); known != pairs_.end()) {
    return known->second;
  }
  if (pairs_.size() == kMaxPairs) {
    return arrival.share(static_cast<uint32_t>(packets_.size()));
  }
  const auto idlest = std::min_element(packets_.begin(), packets_.end());
  return pairs_[hosts] = static_cast<uint32_t>(idlest - packets_.begin());
}

}  // namespace steertag
