// Totals: what many RPCs add up to: how many, how they ended, how many bytes, and how long they took, all in
// all and by phase. An RPC counts in the times where it is known when its Reply was delivered.
// Those of parts, in whatever order, add up to those of the whole.
#pragma once

#include <array>
#include <cstdint>

#include "flow/exchange.h"
#include "stats/durations.h"

namespace steertag::stats {

struct Totals {
  uint64_t count = 0;
  uint64_t failed = 0;                              // outcome.h
  uint64_t unanswered = 0;                          // the Reply was not captured, or never came
  uint64_t retries = 0;                             // of them, Calls that repeat an earlier one
  uint64_t arguments = 0, results = 0;              // bytes of RPC messages
  Durations delivered;                              // longest(): the Call
  std::array<uint64_t, flow::kPhases> phases_ns{};  // sums, over those of `delivered`

  void add(const flow::Exchange& exchange);
  void add(const Totals& others);
  // The mean of a phase; precondition: delivered.count() is not 0.
  int64_t mean_ns(flow::Phase phase) const {
    return static_cast<int64_t>(phases_ns[static_cast<size_t>(phase)] / delivered.count());
  }
  // The phase that took the most time, of several the first; precondition as above.
  flow::Phase longest_phase() const;
};

}  // namespace steertag::stats
