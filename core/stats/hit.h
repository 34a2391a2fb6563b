// Hit: whom something hit: how many RPCs, what it cost them, which of them most, and on which connections
// they were. What costs no RPC any time may be noted, too, for its connection and what to look at. Those of
// parts add up to that of the whole, in whatever order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/evidence.h"

namespace steertag::stats {

struct Hit {
  static constexpr size_t kMostConnections = 16;

  uint64_t rpcs = 0, ns = 0;
  Evidence longest;                                  // weight: ns
  std::vector<track::ConnectionNumber> connections;  // the first of them, ascending

  // An RPC, and what it cost that one.
  static Hit of(const Evidence& rpc) {
    return {.rpcs = 1,
            .ns = static_cast<uint64_t>(std::max<int64_t>(rpc.weight, 0)),
            .longest = rpc,
            .connections = {rpc.connection}};
  }
  void add(const Hit& other) {
    rpcs += other.rpcs;
    ns += other.ns;
    longest.note(other.longest);
    for (const track::ConnectionNumber number : other.connections) {
      const auto at = std::lower_bound(connections.begin(), connections.end(), number, before);
      if (at == connections.end() || *at != number) {
        connections.insert(at, number);
        connections.resize(std::min(connections.size(), kMostConnections));
      }
    }
  }
  // `number` makes the numbers of the connections others.
  void renumber(const auto& number) {
    longest.connection = number(longest.connection);
    for (track::ConnectionNumber& one : connections) {
      one = number(one);
    }
    std::sort(connections.begin(), connections.end(), before);
  }

 private:
  static bool before(uint32_t x, uint32_t y) { return x < y; }
};

}  // namespace steertag::stats
