// RangeSet: which bytes of a stretch were seen, as sorted disjoint intervals.
// Bytes that arrive twice count once. Appending, which is what RDMA does, looks
// at the last interval only.
#pragma once

#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace steertag::base {

class RangeSet {
 public:
  struct Interval {
    uint64_t begin, end;
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  // More intervals than this are not kept apart: the piece that would open one
  // more is refused, so that scattered single bytes cannot use memory up.
  static constexpr size_t kMaxIntervals = 4096;

  // Adds [begin, begin + length) and returns how many of its bytes are new.
  uint64_t add(uint64_t begin, uint64_t length) {
    if (length == 0) {
      return 0;
    }
    const uint64_t end = begin + length;
    if (!intervals_.empty() && begin <= intervals_.back().end) {
      if (begin < intervals_.back().end) [[unlikely]] {
        return insert(begin, end);
      }
      intervals_.back().end = end;
    } else if (intervals_.size() < kMaxIntervals) [[likely]] {
      intervals_.push_back({begin, end});
    } else {
      return 0;
    }
    total_ += length;
    return length;
  }

  // Length of the run that starts at 0.
  uint64_t prefix() const { return !intervals_.empty() && intervals_[0].begin == 0 ? intervals_[0].end : 0; }
  uint64_t total() const { return total_; }  // distinct bytes
  uint64_t end() const { return intervals_.empty() ? 0 : intervals_.back().end; }
  std::span<const Interval> intervals() const { return intervals_; }
  size_t bytes() const {
    return intervals_.capacity() > 1 ? intervals_.capacity() * sizeof(Interval) : 0;
  }  // of the heap
  void clear() {
    while (!intervals_.empty()) {
      intervals_.pop_back();  // clear() would give their memory back
    }
    total_ = 0;
  }
  void shrink() { intervals_.shrink_to_fit(); }

 private:
  uint64_t insert(uint64_t begin, uint64_t end) {
    // The intervals that touch [begin, end] become one with it.
    auto first = std::lower_bound(intervals_.begin(), intervals_.end(), begin,
                                  [](const Interval& i, uint64_t b) { return i.end < b; });
    auto last = first;
    uint64_t known = 0;
    uint64_t low = begin;
    uint64_t high = end;
    while (last != intervals_.end() && last->begin <= end) {
      const uint64_t overlap_begin = std::max(begin, last->begin);
      const uint64_t overlap_end = std::min(end, last->end);
      known += overlap_end > overlap_begin ? overlap_end - overlap_begin : 0;
      low = std::min(low, last->begin);
      high = std::max(high, last->end);
      ++last;
    }
    if (first == last) {
      if (intervals_.size() >= kMaxIntervals) {
        return 0;
      }
      intervals_.insert(first, Interval{begin, end});
    } else {
      *first = Interval{low, high};
      intervals_.erase(first + 1, last);
    }
    const uint64_t fresh = (end - begin) - known;
    total_ += fresh;
    return fresh;
  }

  absl::InlinedVector<Interval, 1> intervals_;
  uint64_t total_ = 0;
};

}  // namespace steertag::base
