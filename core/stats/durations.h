// Durations: how long things took, in bounded memory however many there are: number, sum, least,
// greatest and where that was exactly, and percentiles, by the one definition that all of Steertag has of
// them: the nearest rank, the least of the times that so large a share of them does not exceed.
// It counts each time that differs, as it is told: from 100 us on in whole microseconds. So percentiles
// are exact, until more than 2048 differ. Then those with equal leading bits are put together, as an HDR
// histogram does, with as many bits as there is room for: percentiles are within 0.4 % where the longest
// time is up to 65536 times the shortest. report/units.js does the same.
// What comes of many is the same in whatever order, and by whatever parts, they are added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "frame.h"

namespace steertag::stats {

class Durations {
 public:
  static constexpr size_t kMaxBuckets = 2048;

  // Where: what to look at, if it is the longest. A negative time, as merged captures with skewed clocks may
  // show, counts as zero.
  void add(int64_t ns, const Stamp& where);
  void add(const Durations& others);

  uint64_t count() const { return count_; }
  uint64_t sum_ns() const { return sum_; }  // no more than fits
  int64_t least() const { return least_; }
  int64_t greatest() const { return greatest_; }
  // Count() is not 0:
  int64_t mean() const { return static_cast<int64_t>(sum_ / count_); }
  const Stamp& longest() const { return longest_; }  // of several, the first
  int64_t percentile(double fraction) const;         // 0.5: the median
  uint64_t above(int64_t ns) const;                  // how many are longer, as exactly as a percentile is

  // Each time that differs, ascending, and how many took so long: take(ns, count).
  void each(auto&& take) const {
    for (const Bucket& bucket : buckets_) {
      take(middle(bucket), bucket.count);
    }
  }

  // How far a percentile may be from the exact one, as a share of it.
  double error() const { return 1.0 / static_cast<double>(uint64_t{2} << precision_); }
  size_t buckets() const { return buckets_.size(); }  // in use

 private:
  // Times that are counted together: their place among all such buckets of this precision, by which they are
  // sorted.
  struct Bucket {
    uint64_t place, count;
  };
  void put(const Bucket& one);
  void add_sum(uint64_t ns);
  void note_longest(int64_t ns, const Stamp& where);
  void fit();
  void coarsen(int precision);  // no more than before
  int64_t middle(const Bucket& bucket) const;

  std::vector<Bucket> buckets_;
  int precision_ = 62;  // bits of a value behind the leading one
  uint64_t count_ = 0, sum_ = 0;
  int64_t least_ = 0;
  int64_t greatest_ = -1;
  Stamp longest_;
};

}  // namespace steertag::stats
