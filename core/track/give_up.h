// GiveUp: what the tables of connections give up, step by step, while more memory is held than
// Options::memory allows. relief.h has the order of all steps; idlest_first() gives the order
// within one step.
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
  waiting,    // what waits behind holes, which become gaps
  idle,       // connections that are over, or silent for kIdleNs without an open RPC
  any,        // any connection
};

// A connection that was silent for this long, in captured time, is idle.
inline constexpr int64_t kIdleNs = 1'000'000'000;

// Sorts pointers to anything that has a `connection`.
template <typename Pointer>
void idlest_first(std::vector<Pointer>& some) {
  std::sort(some.begin(), some.end(), [](const Pointer& x, const Pointer& y) {
    const Connection &a = x->connection, &b = y->connection;
    return std::pair(a.last_frame.time_ns, a.order) < std::pair(b.last_frame.time_ns, b.order);
  });
}

}  // namespace steertag::track
