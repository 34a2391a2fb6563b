// Frame: what the analyzer is fed, one at a time, in the order of the capture.
// Stamp: the memory of a frame that is kept after its bytes are gone: which
// frame of which file, and when.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/bytes.h"

namespace steertag {

// A time of a capture file, whatever it claims: never before the epoch and never past the year 2255, so that
// no difference of times can overflow.
constexpr int64_t nanoseconds(int64_t seconds, int64_t rest) {
  constexpr int64_t kLast = 9'000'000'000;
  return std::clamp<int64_t>(seconds, 0, kLast) * 1'000'000'000 + std::clamp<int64_t>(rest, 0, 999'999'999);
}

struct Stamp {
  uint64_t number = 0;  // 1-based number of the frame in its file, as Wireshark counts
  uint32_t file = 0;    // which file, in the caller's own numbering
  int64_t time_ns = 0;  // nanoseconds since the epoch

  friend bool operator==(const Stamp& a, const Stamp& b) { return a.number == b.number && a.file == b.file; }
};

// Order of capture: by time, then by place in the file.
constexpr bool captured_before(const Stamp& a, const Stamp& b) {
  return a.file == b.file ? a.number < b.number : a.time_ns < b.time_ns;
}

struct Frame {
  Stamp at;
  uint32_t link_type = 0;  // LINKTYPE_ value of the capture file; link/decoder.h lists those that are known
  Bytes bytes;             // as captured; borrowed until feed() returns
  uint32_t original_length = 0;  // bytes on the wire; never less than bytes.size() is meaningful
};

}  // namespace steertag
