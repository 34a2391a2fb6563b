// Closings: the connections of RoCE and InfiniBand that a DREQ has ended, for as long
// as they are still followed: what comes then counts if the peer acknowledges it. It
// knows whose turn it is to be over, and which DREP confirms which DREQ.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>

#include "frame.h"
#include "track/roce_link.h"

namespace steertag::track {

class Closings {
 public:
  static constexpr int64_t kNs = 5'000'000'000;  // how long a connection is followed after its DREQ

  // The DREQ of `by` came at `at`. Precondition: none came before.
  void add(RoceLink& link, Side by, const AwaitedDrep& awaited, const Stamp& at);
  void confirm(const AwaitedDrep& drep);
  void remove(const RoceLink& link);
  // The one that waits longest, where it has waited long enough; null otherwise.
  RoceLink* due(int64_t now_ns) const {
    const bool any = !links_.empty() && now_ns - links_.begin()->first.since_ns >= kNs;
    return any ? links_.begin()->second : nullptr;
  }

 private:
  absl::btree_map<RoceLink::Closing, RoceLink*> links_;
  absl::flat_hash_map<AwaitedDrep, RoceLink*> unconfirmed_;  // of these, those without a DREP so far
};

}  // namespace steertag::track
