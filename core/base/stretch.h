// Stretch: a contiguous part of a message, as far as its bytes were captured and kept. A message
// of which some travelled in chunks is a row of them.
//
// StretchReader reads such a row where it lies: nobody has to copy it together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "base/range_set.h"

namespace steertag::base {

// Its bytes are data[at, at + length), as far as `data` goes and `held` says that they were captured. Owns
// nothing.
struct Stretch {
  Bytes data;
  const RangeSet* held = nullptr;  // which bytes of `data` are real, by offset; null: all of them
  uint64_t length = 0;             // on the wire
  uint64_t at = 0;                 // where it begins in `data`
};

// The first interval that ends behind `at`.
inline auto interval_behind(const RangeSet& held, uint64_t at) {
  const std::span<const RangeSet::Interval> intervals = held.intervals();
  return std::upper_bound(
      intervals.begin(), intervals.end(), at,
      [](uint64_t offset, const RangeSet::Interval& interval) { return offset < interval.end; });
}

// Calls `visit(offset, bytes)` for each run of captured bytes; `offset` is from the start of the stretch.
template <typename Visit>
void each_captured(const Stretch& stretch, const Visit& visit) {
  const uint64_t end = std::min<uint64_t>(stretch.data.size(), stretch.at + stretch.length);
  const auto run = [&](uint64_t from, uint64_t to) {
    if (from < to) {
      visit(from - stretch.at, slice(stretch.data, from, to - from));
    }
  };
  if (stretch.held == nullptr) {
    run(stretch.at, end);
    return;
  }
  const auto last = stretch.held->intervals().end();
  for (auto i = interval_behind(*stretch.held, stretch.at); i != last && i->begin < end; ++i) {
    run(std::max(i->begin, stretch.at), std::min(i->end, end));
  }
}

// What is behind a stretch that was not kept to its end: counts as not captured, or is read.
enum class Behind : uint8_t { unread, read };

// Reads a row of stretches as one; only forward.
class StretchReader {
 public:
  explicit StretchReader(std::span<const Stretch> stretches, Behind behind = Behind::unread)
      : ahead_(stretches), behind_(behind) {}

  // Returns the bytes from `offset` of the row on, up to `most`, that lie side by side; none where the first
  // was not captured.
  Bytes run(uint64_t offset, uint64_t most) {
    if (offset - run_begin_ >= run_.size()) [[unlikely]] {
      seek(offset);
    }
    return slice(run_, offset - run_begin_, most);
  }

 private:
  void seek(uint64_t offset);

  std::span<const Stretch> ahead_;  // those that are not passed yet; the first one holds the latest offset
  Behind behind_ = Behind::unread;
  uint64_t begin_ = 0;      // offset of the first one
  uint64_t run_begin_ = 0;  // the latest offset that was sought ...
  Bytes run_;               // ... and the bytes that lie side by side from there on
};

}  // namespace steertag::base
