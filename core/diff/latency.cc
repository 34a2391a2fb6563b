// A machine that is busy with something else makes half of a workload twice as slow, now and then, and the
// next run does not; so a percentile alone proves nothing. The median has changed where it is so many times
// the other one, and most RPCs say so: three quarters of the slower ones take longer than half of the faster
// ones, and half of the slower ones longer than three quarters of the faster ones. The 99th percentile has
// changed where several RPCs took longer than so many times the other one: of a hundred RPCs it is the
// second slowest, and what one or two RPCs took may be anything.
#include <algorithm>

#include "diff/operations.h"

namespace steertag::diff {
namespace {

using stats::Durations;

bool median_differs(const Durations& faster, const Durations& slower) {
  return slower.percentile(0.25) > faster.percentile(0.5) && slower.percentile(0.5) > faster.percentile(0.75);
}

bool tail_differs(const Durations& faster, const Durations& slower, double factor) {
  const double limit = factor * static_cast<double>(faster.percentile(0.99));
  return slower.above(static_cast<int64_t>(limit)) >= kLeastBeyond;
}

struct Percentile {
  const char* name;
  double fraction, factor;
};

bool differs(const Durations& a, const Durations& b, const Percentile& of, int64_t floor_ns) {
  const bool swapped = a.percentile(of.fraction) > b.percentile(of.fraction);
  const Durations &faster = swapped ? b : a, &slower = swapped ? a : b;
  const int64_t fast = faster.percentile(of.fraction), slow = slower.percentile(of.fraction);
  if (slow - fast < std::max<int64_t>(floor_ns, 1) ||
      static_cast<double>(slow) < of.factor * static_cast<double>(fast)) {
    return false;
  }
  return of.fraction == 0.5 ? median_differs(faster, slower) : tail_differs(faster, slower, of.factor);
}

}  // namespace

void compare_latencies(const stats::Operation& operation, const Durations& before, const Durations& after,
                       const Thresholds& thresholds, Comparison& into) {
  if (std::min(before.count(), after.count()) < std::max<uint64_t>(thresholds.least_rpcs, 1)) {
    ++into.too_few;
    return;
  }
  ++into.timed;
  for (const Percentile& of :
       {Percentile{"p50", 0.5, thresholds.p50}, Percentile{"p99", 0.99, thresholds.p99}}) {
    if (!differs(before, after, of, thresholds.floor_ns)) {
      continue;
    }
    const auto amount = [&](const Durations& durations) {
      return Amount{static_cast<uint64_t>(durations.percentile(of.fraction)), durations.count()};
    };
    Difference difference{.kind = Kind::latency,
                          .what = of.name,
                          .unit = Unit::ns,
                          .before = amount(before),
                          .after = amount(after),
                          .operation = operation,
                          .seen_before = before.longest(),
                          .seen_after = after.longest()};
    difference.regression = difference.after.value > difference.before.value;
    into.differences.push_back(std::move(difference));
  }
}

}  // namespace steertag::diff
