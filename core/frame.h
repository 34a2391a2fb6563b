// Frame: what the analyzer is fed, one at a time, in the order of the capture.
// Stamp: the memory of a frame that is kept after its bytes are gone: which
// frame of which file, and when.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

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
  uint32_t tap = 0;     // which tap saw it; see tap_of()
  int64_t time_ns = 0;  // nanoseconds since the epoch

  static constexpr uint32_t kTapsOfClock = 65536;  // of one clock, and as many clocks
  // A tap is an interface of a capture, whose times one clock gave. A capture may be in several files;
  // several captures have clocks of different numbers. Higher numbers than there are share the last one.
  static constexpr uint32_t tap_of(uint32_t clock, uint32_t interface) {
    return std::min(clock, UINT32_MAX / kTapsOfClock) * kTapsOfClock + std::min(interface, kTapsOfClock - 1);
  }
  constexpr uint32_t clock() const { return tap / kTapsOfClock; }
  // Whether one clock, in one place, gave both their times.
  constexpr bool same_tap(const Stamp& other) const { return tap == other.tap; }

  friend bool operator==(const Stamp& a, const Stamp& b) { return a.number == b.number && a.file == b.file; }
};

// Order of capture: by place in one file, by time between files. Not an order to sort by: the clock of a file
// may go back.
constexpr bool captured_before(const Stamp& a, const Stamp& b) {
  return a.file == b.file ? a.number < b.number : a.time_ns < b.time_ns;
}

// Puts frames into the order of capture; those of several files by their times.
inline void sort_by_capture(std::vector<Stamp>& frames) {
  if (std::is_sorted(frames.begin(), frames.end(), captured_before)) {
    return;
  }
  const bool one_file = std::all_of(frames.begin(), frames.end(),
                                    [&](const Stamp& at) { return at.file == frames.front().file; });
  std::sort(frames.begin(), frames.end(), [&](const Stamp& a, const Stamp& b) {
    return one_file ? a.number < b.number
                    : std::tie(a.time_ns, a.file, a.number) < std::tie(b.time_ns, b.file, b.number);
  });
}

struct Frame {
  Stamp at;
  uint32_t link_type = 0;  // LINKTYPE_ value of the capture file; link/decoder.h lists those that are known
  Bytes bytes;             // as captured; borrowed until feed() returns
  uint32_t original_length = 0;  // bytes on the wire; never less than bytes.size() is meaningful
  // Frames that whoever captured it knows to have lost between the one before and this one.
  uint32_t dropped = 0;
};

}  // namespace steertag
