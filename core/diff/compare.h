// compare(): in what two captures differ. What is no more than noise is no difference: two runs of one
// workload never take equal times, and hardly ever have equal counts of what happens by the clock. The
// thresholds say where noise ends.
// A pure function of what was gathered. What it says of (a, b) it says of (b, a), the other way round.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "diff/difference.h"
#include "diff/profile.h"
#include "rules/tally.h"

namespace steertag::diff {

using Faults = absl::btree_map<uint64_t, Fault>;  // by fingerprint

// What there is to compare of one capture.
struct Gathered {
  const Profile& profile;
  const Faults& faults;
  std::span<const rules::Tally> tallies;  // by rule, in the order of the catalog
};

struct Thresholds {
  // Latencies: so many times the other one, so much more, on so many RPCs of either side. See
  // compare_latency.cc for what else tells a change from a noisy machine.
  double p50 = 2, p99 = 2;
  int64_t floor_ns = 1'000'000;
  uint64_t least_rpcs = 30;
  // Counts and sizes differ where they do by more than this part of the larger one ...
  double count = 0.1;
  uint64_t few = 3;  // ... and by more than so many.
  // How many more of an operation's RPCs, as a part of them, may fail before that is a regression.
  double failed = 0;
  bool strict = false;                                 // what is only possible is a regression, too
  std::function<bool(const rules::Rule&)> required{};  // must be exercised as before; empty: none
};

// Bytes of a message on the average: fewer are no difference.
inline constexpr double kFewBytes = 512;
// Of what the network, or a habit, brings with it (retransmissions, NAKs, notes) runs differ by chance: more
// than this part of the larger one, and more than so many.
inline constexpr double kChancePart = 0.5;
inline constexpr double kChanceFew = 10;
// A form or a chunk that as large a part of an operation's RPCs has come to use, however few these are.
inline constexpr double kMostOf = 0.5;
// RPCs that have to be beyond the limit of p99: one or two slow ones may be anything.
inline constexpr uint64_t kLeastBeyond = 3;

struct Comparison {
  std::vector<Difference> differences;  // by kind; those of an operation together
  // Operations that both sides have: whose latencies were compared; which have too few RPCs for that.
  uint64_t timed = 0, too_few = 0;

  uint64_t regressions() const;
};

Comparison compare(const Gathered& before, const Gathered& after, const Thresholds& thresholds);

}  // namespace steertag::diff
