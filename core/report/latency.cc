#include "report/latency.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace steertag::report {

namespace {
constexpr int precision = 6;  // bits: 64 buckets a power of two
}

// Values below 128 have a bucket each; above, the seven leading bits decide.
size_t Latencies::bucket(uint64_t ns) {
  const int shift = std::max(0, static_cast<int>(std::bit_width(ns)) - (precision + 1));
  return (static_cast<size_t>(shift) << precision) + static_cast<size_t>(ns >> shift);
}

uint64_t Latencies::middle(size_t bucket) {
  if (bucket < (2U << precision)) {
    return bucket;
  }
  const size_t shift = (bucket >> precision) - 1;
  const uint64_t leading = bucket - (shift << precision);
  return (leading << shift) + (uint64_t{1} << shift) / 2;
}

void Latencies::add(int64_t ns, const Stamp& reply) {
  ns = std::max<int64_t>(ns, 0);
  const size_t index = bucket(static_cast<uint64_t>(ns));
  if (index >= buckets_.size()) {
    buckets_.resize(index + 1);
  }
  ++buckets_[index];
  least_ = count_ == 0 ? ns : std::min(least_, ns);
  note_slowest(ns, reply);
  ++count_;
}

void Latencies::add(const Latencies& others) {
  if (others.count_ == 0) {
    return;
  }
  buckets_.resize(std::max(buckets_.size(), others.buckets_.size()));
  for (size_t i = 0; i < others.buckets_.size(); ++i) {
    buckets_[i] += others.buckets_[i];
  }
  least_ = count_ == 0 ? others.least_ : std::min(least_, others.least_);
  note_slowest(others.greatest_, others.slowest_);
  count_ += others.count_;
}

// Of several that are equally slow, the first, whatever the order in which they are reported.
void Latencies::note_slowest(int64_t ns, const Stamp& reply) {
  const auto place = [](const Stamp& at) { return std::tuple(at.time_ns, at.file, at.number); };
  if (ns > greatest_ || (ns == greatest_ && place(reply) < place(slowest_))) {
    greatest_ = ns;
    slowest_ = reply;
  }
}

int64_t Latencies::percentile(double fraction) const {
  // The nearest rank: so many have to be at or below the answer.
  const auto rank = static_cast<uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
  uint64_t seen = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= rank) {
      return std::clamp(static_cast<int64_t>(middle(i)), least_, greatest_);
    }
  }
  return greatest_;
}

}  // namespace steertag::report
