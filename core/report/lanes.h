// Lanes: side by side, what lasts for a while, each in the lowest lane that is free all that time; nothing
// overlaps, or even touches, in a lane. Things may come in any order, most come in that of their ends.
//
// Bounded: of each lane the most recent times are remembered; in front of them it counts as taken, so that
// what comes very late, or lasted very long, may get a lane of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace steertag::report {

class Lanes {
 public:
  static constexpr size_t kMostLanes = 4096;
  static constexpr size_t kMostKept = 16;  // times of one lane
  static constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

  // Takes the lowest lane that is free from one time to the other, both included. Unset: there is none.
  std::optional<uint32_t> take(int64_t begin_ns, int64_t end_ns) {
    const Time time{begin_ns, end_ns};
    auto lane = std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& one) { return one.free(time); });
    if (lane == lanes_.end()) {
      if (lanes_.size() == kMostLanes) {
        return std::nullopt;
      }
      lane = lanes_.emplace(lane);
    }
    lane->take(time);
    return static_cast<uint32_t>(lane - lanes_.begin());
  }
  // Lanes that were ever taken: the next one is new.
  size_t count() const { return lanes_.size(); }

 private:
  struct Time {
    int64_t begin_ns = 0, end_ns = 0;
  };
  class Lane {
   public:
    bool free(const Time& time) const {
      if (taken_.empty() || taken_.back().end_ns < time.begin_ns) [[likely]] {
        return !before_ || *before_ < time.begin_ns;
      }
      const bool apart = std::all_of(taken_.begin(), taken_.end(), [&](const Time& other) {
        return other.end_ns < time.begin_ns || other.begin_ns > time.end_ns;
      });
      return apart && (!before_ || *before_ < time.begin_ns);
    }
    void take(const Time& time) {
      taken_.insert(std::find_if(taken_.begin(), taken_.end(),
                                 [&](const Time& other) { return other.begin_ns > time.begin_ns; }),
                    time);
      if (taken_.size() > kMostKept) {
        before_ = taken_.front().end_ns;
        taken_.erase(taken_.begin());
      }
    }

   private:
    std::vector<Time> taken_;        // in their order
    std::optional<int64_t> before_;  // until then, all of it
  };

  std::vector<Lane> lanes_;
};

}  // namespace steertag::report
