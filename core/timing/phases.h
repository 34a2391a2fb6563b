// Phases: divides the time of one RPC into its phases, one after another. A phase begins where the one before
// it ended, so that they never overlap, and none lasts longer than the RPC. Times are nanoseconds of the
// capture's clock.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "flow/timing.h"

namespace steertag::timing {

struct Span {
  int64_t begin_ns = 0, end_ns = 0;
};

// One phase after another; none begins before the last has ended, nor after the end of all.
class Phases {
 public:
  Phases(int64_t begin_ns, int64_t end_ns, std::array<int64_t, flow::kPhases>& into)
      : now_(begin_ns), end_(end_ns), into_(into) {}
  Span until(flow::Phase phase, int64_t ns) {
    const Span span{now_, std::clamp(ns, now_, end_)};
    into_[static_cast<size_t>(phase)] = span.end_ns - span.begin_ns;
    now_ = span.end_ns;
    return span;
  }

 private:
  int64_t now_, end_;
  std::array<int64_t, flow::kPhases>& into_;
};

}  // namespace steertag::timing
