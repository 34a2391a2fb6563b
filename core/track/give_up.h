// GiveUp: what the tables of connections give up where all that is held is more than
// Options::memory allows, a step after the other until it is enough. relief.h has the order
// of all steps; idlest_first() is that within one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "track/connection.h"

namespace steertag::track {

enum class GiveUp : uint8_t {
  spare,      // memory that is kept for the next use
  strangers,  // one-way flows without a counterpart, TCP connections that did not prove to be iWARP
  waiting,    // what waits behind holes: these are gaps then
  idle,       // connections over, and those not heard of for kIdleNs, without an open RPC
  any,        // any connection
};

// How long a connection says nothing before it is idle, in captured time.
inline constexpr int64_t kIdleNs = 1'000'000'000;

// Sorts what points to something with a `connection`.
template <typename Pointer>
void idlest_first(std::vector<Pointer>& some) {
  std::sort(some.begin(), some.end(), [](const Pointer& x, const Pointer& y) {
    const Connection &a = x->connection, &b = y->connection;
    return std::pair(a.last_frame.time_ns, a.order) < std::pair(b.last_frame.time_ns, b.order);
  });
}

}  // namespace steertag::track
