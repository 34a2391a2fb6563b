#include "stats/setbacks.h"

#include <algorithm>

namespace steertag::stats {

void Setbacks::note(const track::Connection& connection, const flow::Disturbance& disturbance) {
  Latest& latest = latest_[&connection];
  if (!latest.empty() && (latest.size() == kMostOfOne || count_ == kMost)) {
    latest.pop_front();
    --count_;
  }
  if (count_ < kMost) {
    latest.push_back(disturbance);
    ++count_;
  }
}

void Setbacks::close(const track::Connection& connection) {
  const auto found = latest_.find(&connection);
  if (found != latest_.end()) {
    count_ -= found->second.size();
    latest_.erase(found);
  }
}

Setbacks::Some Setbacks::between(const track::Connection& connection, int64_t from_ns, int64_t to_ns,
                                 size_t most) const {
  Some some;
  const auto found = latest_.find(&connection);
  if (found == latest_.end()) {
    return some;
  }
  // They come in order of time, unless a clock goes back: then some are not found.
  const Latest& latest = found->second;
  const auto from = std::partition_point(latest.begin(), latest.end(),
                                         [&](const auto& one) { return one.at.time_ns < from_ns; });
  const auto to =
      std::partition_point(from, latest.end(), [&](const auto& one) { return one.at.time_ns <= to_ns; });
  some.all = static_cast<size_t>(to - from);
  const auto half = static_cast<ptrdiff_t>(most / 2);
  if (some.all <= most) {
    some.told.assign(from, to);
  } else {
    some.told.assign(from, from + half);
    some.told.insert(some.told.end(), to - (static_cast<ptrdiff_t>(most) - half), to);
  }
  return some;
}

}  // namespace steertag::stats
