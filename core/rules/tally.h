// Tally: how often a rule was put to the test, and what came of it. A rule that
// never had an occasion has checked 0: silence is distinguished from proof. What
// could not be decided is counted with the reason why.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/named.h"

namespace steertag::rules {

// Why a verdict could not be had.
enum class Lack : uint8_t {
  setup,      // the connection setup, or its private data, was not captured
  direction,  // packets of one direction only
  loss,       // packets missing, or the capture began too late
  bytes,      // the bytes that decide were not captured, or mean nothing to us
  end,        // the story is not over
};
inline constexpr size_t kLacks = 5;

inline std::string_view text(Lack lack) {
  static constexpr std::string_view names[] = {
      "connection setup not captured", "only one direction captured", "frames missing, or before the capture",
      "not captured, or not readable", "capture ends before the RPC does"};
  return base::named<Lack::end>(names, lack);
}

struct Tally {
  uint64_t kept = 0;
  uint64_t broken = 0;
  uint64_t undecided = 0;
  std::array<uint64_t, kLacks> lacks{};  // of the undecided, by Lack

  // What another Audit, of another part of the traffic, has counted.
  void add(const Tally& other) {
    kept += other.kept;
    broken += other.broken;
    undecided += other.undecided;
    for (size_t lack = 0; lack < kLacks; ++lack) {
      lacks[lack] += other.lacks[lack];
    }
  }
  void give_up(Lack lack, uint64_t times = 1) {
    undecided += times;
    lacks[static_cast<size_t>(lack)] += times;
  }
  uint64_t checked() const { return kept + broken + undecided; }
};

}  // namespace steertag::rules
