#include "stats/durations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace steertag::stats {
namespace {

// What is told of a length of time: from 100 us on it is whole microseconds, as in records.
constexpr uint64_t told(uint64_t ns) {
  return ns < 100'000 ? ns : ns - ns % 1000;
}

// The place of a value's bucket. Small values have one each; above, the leading bits decide.
uint64_t bucket_of(uint64_t ns, int precision) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(ns)) - (precision + 1));
  return (static_cast<uint64_t>(shift) << precision) + (ns >> shift);
}

struct Values {
  uint64_t least, width;
};
Values values_at(uint64_t place, int precision) {
  if (place < (uint64_t{2} << precision)) {
    return {place, 1};
  }
  const uint64_t shift = (place >> precision) - 1;
  return {(place - (shift << precision)) << shift, uint64_t{1} << shift};
}

}  // namespace

void Durations::add(int64_t ns, const Stamp& where) {
  ns = std::max<int64_t>(ns, 0);
  put({bucket_of(told(static_cast<uint64_t>(ns)), precision_), 1});
  least_ = count_ == 0 ? ns : std::min(least_, ns);
  note_longest(ns, where);
  add_sum(static_cast<uint64_t>(ns));
  ++count_;
}

void Durations::add(const Durations& others) {
  if (others.count_ == 0) {
    return;
  }
  if (precision_ > others.precision_) {
    coarsen(others.precision_);
  }
  const auto ours = static_cast<ptrdiff_t>(buckets_.size());
  for (const Bucket& bucket : others.buckets_) {
    buckets_.push_back(
        {bucket_of(values_at(bucket.place, others.precision_).least, precision_), bucket.count});
  }
  std::inplace_merge(buckets_.begin(), buckets_.begin() + ours, buckets_.end(),
                     [](const Bucket& a, const Bucket& b) { return a.place < b.place; });
  coarsen(precision_);  // for those that both have
  fit();
  least_ = count_ == 0 ? others.least_ : std::min(least_, others.least_);
  note_longest(others.greatest_, others.longest_);
  add_sum(others.sum_);
  count_ += others.count_;
}

void Durations::put(const Bucket& one) {
  const auto found = std::lower_bound(buckets_.begin(), buckets_.end(), one.place,
                                      [](const Bucket& b, uint64_t place) { return b.place < place; });
  if (found != buckets_.end() && found->place == one.place) {
    found->count += one.count;
    return;
  }
  buckets_.insert(found, one);
  fit();
}

void Durations::fit() {
  while (buckets_.size() > kMaxBuckets) {
    // A bit that not even the longest has is none that could be left out.
    const auto bits = static_cast<int>(std::bit_width(values_at(buckets_.back().place, precision_).least));
    coarsen(std::min(precision_, bits - 1) - 1);
  }
}

void Durations::coarsen(int precision) {
  size_t kept = 0;
  for (const Bucket& bucket : buckets_) {
    const uint64_t place = bucket_of(values_at(bucket.place, precision_).least, precision);
    if (kept != 0 && buckets_[kept - 1].place == place) {
      buckets_[kept - 1].count += bucket.count;
    } else {
      buckets_[kept++] = {place, bucket.count};
    }
  }
  buckets_.resize(kept);
  precision_ = precision;
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

int64_t Durations::middle(const Bucket& bucket) const {
  const Values values = values_at(bucket.place, precision_);
  return static_cast<int64_t>(values.least + values.width / 2);
}

int64_t Durations::percentile(double fraction) const {
  // The nearest rank: so many have to be at or below the answer.
  const auto rank = static_cast<uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
  if (rank >= count_) {
    return greatest_;
  }
  uint64_t seen = 0;
  for (const Bucket& bucket : buckets_) {
    seen += bucket.count;
    if (seen >= rank) {
      return std::clamp(middle(bucket), least_, greatest_);
    }
  }
  return greatest_;
}

uint64_t Durations::above(int64_t ns) const {
  if (ns >= greatest_) {
    return 0;
  }
  uint64_t longer = 0;
  for (const Bucket& bucket : buckets_) {
    longer += middle(bucket) > ns ? bucket.count : 0;
  }
  return longer;
}

}  // namespace steertag::stats
