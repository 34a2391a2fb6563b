// Latencies: how long RPCs took, in bounded memory however many there are:
// minimum, maximum and its RPC exactly, percentiles to within 2 %.
// Counts nanoseconds in buckets whose width grows with the value: 64 buckets
// for every power of two.
#pragma once

#include <cstdint>
#include <vector>

#include "frame.h"

namespace steertag::report {

class Latencies {
 public:
  // A negative time, as merged captures with skewed clocks may show, counts as zero.
  void add(int64_t ns, const Stamp& reply);
  void add(const Latencies& others);

  uint64_t count() const { return count_; }
  int64_t least() const { return least_; }
  int64_t greatest() const { return greatest_; }
  const Stamp& slowest() const { return slowest_; }  // the (first) Reply of the slowest; count() is not 0
  int64_t percentile(double fraction) const;         // 0.5: the median; count() is not 0

 private:
  void note_slowest(int64_t ns, const Stamp& reply);
  static size_t bucket(uint64_t ns);
  static uint64_t middle(size_t bucket);

  std::vector<uint64_t> buckets_;  // grows to the bucket of the greatest, at most 64 * 64
  uint64_t count_ = 0;
  int64_t least_ = 0;
  int64_t greatest_ = -1;
  Stamp slowest_;
};

}  // namespace steertag::report
