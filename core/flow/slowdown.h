// Slowdown: how often somebody on a connection was told to wait, or to send less: by the other end, by the
// network, by a neighbour on the link. Nothing of it is a fault, and all of it takes time. An Exchange has
// what came between its Call and its Reply.
#pragma once

#include <cstdint>

#include "base/saturating.h"
#include "flow/pauses.h"
#include "track/connection.h"

namespace steertag::flow {

struct Slowdown {
  uint32_t rnr_naks = 0;      // "receiver not ready"
  uint32_t zero_windows = 0;  // iWARP: times that a TCP window was closed
  uint32_t ecn_ce = 0;        // packets that the network marked
  uint32_t cnps = 0;          // congestion notifications
  uint32_t pauses = 0;        // pause frames that stop a link, any: they name no connection
  int64_t stopped_ns = 0;     // by these, at most

  friend bool operator==(const Slowdown&, const Slowdown&) = default;
  // By the network, and not by a receiver.
  bool marked() const { return ecn_ce != 0 || cnps != 0; }
};

// Of both ends of a connection together, so far. `pauses`: of the whole capture.
inline Slowdown slowdown_of(const track::Connection& connection, const Pauses& pauses) {
  const auto both = [&](uint64_t track::End::*what) {
    return static_cast<uint32_t>(connection.ends[0].*what + connection.ends[1].*what);
  };
  return {.rnr_naks = both(&track::End::rnr_naks),
          .zero_windows = both(&track::End::zero_windows),
          .ecn_ce = both(&track::End::ecn_ce),
          .cnps = both(&track::End::cnps),
          .pauses = static_cast<uint32_t>(pauses.count()),
          .stopped_ns = pauses.stopped_ns(connection)};
}

// What came in between.
inline Slowdown since(const Slowdown& before, const Slowdown& now) {
  return {.rnr_naks = now.rnr_naks - before.rnr_naks,
          .zero_windows = now.zero_windows - before.zero_windows,
          .ecn_ce = now.ecn_ce - before.ecn_ce,
          .cnps = now.cnps - before.cnps,
          .pauses = now.pauses - before.pauses,
          .stopped_ns = base::saturating_subtract(now.stopped_ns, before.stopped_ns)};
}

}  // namespace steertag::flow
