// Allotment: which of several Followers (follower.h) follows which hosts, where one process
// has all of them. A pair of hosts that is new goes to the Follower that has had the fewest
// packets so far, and stays with it. A function of the packets; what is found in them does
// not depend on who follows whom.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/address.h"
#include "track/arrival.h"

namespace steertag {

class Allotment {
 public:
  static constexpr size_t kMaxPairs =
      65536;  // those that come later are shared out by track::Arrival::share()

  explicit Allotment(uint32_t followers) : packets_(followers, 0) {}  // at least one

  // Whose the next packet is: from 0.
  uint32_t of(const track::Arrival& arrival);

 private:
  struct Hosts {
    base::Address low, high;
    friend bool operator==(const Hosts&, const Hosts&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Hosts& hosts) {
      return H::combine(std::move(h), hosts.low, hosts.high);
    }
  };
  uint32_t allot(const track::Arrival& arrival);

  absl::flat_hash_map<Hosts, uint32_t> pairs_;
  std::vector<uint64_t> packets_;       // by Follower
  base::Address source_, destination_;  // of the latest packet; most often, of the next ...
  std::optional<uint32_t> latest_;      // ... which is this one's, then
};

}  // namespace steertag
