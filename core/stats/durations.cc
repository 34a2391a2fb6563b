#include "stats/durations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

namespace steertag::stats {

namespace {

constexpr int count_bits = 48;  // of an Entry; places are below 2^13
constexpr uint64_t count_mask = (uint64_t{1} << count_bits) - 1;

constexpr uint64_t place_of(uint64_t entry) {
  return entry >> count_bits;
}

// The place of a value's bucket. Small values have one each; above, the leading bits decide.
uint64_t bucket_of(uint64_t ns, int precision) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(ns)) - (precision + 1));
  return (static_cast<uint64_t>(shift) << precision) + (ns >> shift);
}

struct Bucket {
  uint64_t least, width;
};
Bucket bucket_at(uint64_t place, int precision) {
  if (place < (uint64_t{2} << precision)) {
    return {place, 1};
  }
  const uint64_t shift = (place >> precision) - 1;
  return {(place - (shift << precision)) << shift, uint64_t{1} << shift};
}

}  // namespace

void Durations::add(int64_t ns, const Stamp& where) {
  ns = std::max<int64_t>(ns, 0);
  put(bucket_of(static_cast<uint64_t>(ns), precision_), 1);
  least_ = count_ == 0 ? ns : std::min(least_, ns);
  note_longest(ns, where);
  add_sum(static_cast<uint64_t>(ns));
  ++count_;
}

void Durations::add(const Durations& others) {
  if (others.count_ == 0) {
    return;
  }
  while (precision_ > others.precision_) {
    coarsen();
  }
  for (const Entry entry : others.buckets_) {
    put(bucket_of(bucket_at(place_of(entry), others.precision_).least, precision_), entry & count_mask);
  }
  least_ = count_ == 0 ? others.least_ : std::min(least_, others.least_);
  note_longest(others.greatest_, others.longest_);
  add_sum(others.sum_);
  count_ += others.count_;
}

void Durations::put(uint64_t place, uint64_t count) {
  const auto found = std::lower_bound(buckets_.begin(), buckets_.end(), place << count_bits);
  if (found != buckets_.end() && place_of(*found) == place) {
    *found += count;
    return;
  }
  buckets_.insert(found, place << count_bits | count);
  while (buckets_.size() > kMaxBuckets) {
    coarsen();
  }
}

void Durations::coarsen() {
  const int before = precision_--;
  size_t kept = 0;
  for (const Entry entry : buckets_) {
    const uint64_t place = bucket_of(bucket_at(place_of(entry), before).least, precision_);
    if (kept != 0 && place_of(buckets_[kept - 1]) == place) {
      buckets_[kept - 1] += entry & count_mask;
    } else {
      buckets_[kept++] = place << count_bits | (entry & count_mask);
    }
  }
  buckets_.resize(kept);
}

void Durations::add_sum(uint64_t ns) {
  sum_ = ns > UINT64_MAX - sum_ ? UINT64_MAX : sum_ + ns;
}

// Of several that are equally long, the first, whatever the order in which they are reported.
void Durations::note_longest(int64_t ns, const Stamp& where) {
  const auto place = [](const Stamp& at) { return std::tuple(at.time_ns, at.file, at.number); };
  if (ns > greatest_ || (ns == greatest_ && place(where) < place(longest_))) {
    greatest_ = ns;
    longest_ = where;
  }
}

int64_t Durations::percentile(double fraction) const {
  // The nearest rank: so many have to be at or below the answer.
  const auto rank = static_cast<uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
  if (rank >= count_) {
    return greatest_;
  }
  uint64_t seen = 0;
  for (const Entry entry : buckets_) {
    seen += entry & count_mask;
    if (seen >= rank) {
      const Bucket bucket = bucket_at(place_of(entry), precision_);
      return std::clamp(static_cast<int64_t>(bucket.least + bucket.width / 2), least_, greatest_);
    }
  }
  return greatest_;
}

uint64_t Durations::above(int64_t ns) const {
  if (ns >= greatest_) {
    return 0;
  }
  uint64_t longer = 0;
  for (const Entry entry : buckets_) {
    const Bucket bucket = bucket_at(place_of(entry), precision_);
    longer += static_cast<int64_t>(bucket.least + bucket.width / 2) > ns ? entry & count_mask : 0;
  }
  return longer;
}

}  // namespace steertag::stats
