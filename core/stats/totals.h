// Totals: what many RPCs add up to: how many, how they ended, how many bytes, and how long they took, all in
// all and by phase. An RPC counts in the times where it is known when its Reply was delivered.
// Those of parts, in whatever order, add up to those of the whole.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "stats/durations.h"
#include "stats/rpc.h"

namespace steertag::stats {

struct Totals {
  uint64_t count = 0;
  uint64_t failed = 0;                                 // outcome.h
  uint64_t unanswered = 0;                             // the Reply was not captured, or never came
  uint64_t retries = 0;                                // Calls that repeated an earlier one of the same RPC
  uint64_t arguments = 0, results = 0;                 // bytes of RPC messages
  Durations delivered;                                 // of all attempts; longest(): the last Call
  std::array<uint64_t, flow::kPhases> phases_ns{};     // sums, over those of `delivered`; of the last attempt
  uint64_t recovery_ns = 0;                            // the same of the waiting for lost packets
  std::array<uint64_t, flow::kWaitedOns> waited_on{};  // how many of them waited most for whom; by WaitedOn
  uint64_t earlier_ns = 0;                             // the same of all attempts before, until that was sent
  // Of those whose Reply certainly did not come: from the first Call until nothing more could come.
  uint64_t waiting_ns = 0, longest_waiting_ns = 0;

  void add(const Rpc& rpc);
  void add(const Totals& others);
  // The mean of a phase; precondition: delivered.count() is not 0.
  int64_t mean_ns(flow::Phase phase) const {
    return static_cast<int64_t>(phases_ns[static_cast<size_t>(phase)] / delivered.count());
  }
  // All time that went by, with a Reply in the end or without one.
  uint64_t spent_ns() const { return delivered.sum_ns() + waiting_ns; }
  // What took the most time until a Reply: a phase, or all attempts before the last; of several the first.
  struct Longest {
    std::string_view name;
    uint64_t ns = 0;
  };
  Longest longest_part() const;
};

}  // namespace steertag::stats
