// Batch: a stretch of a capture on its way from the thread that reads it to those that
// follow connections, with the memory that its frames lie in; and on its way back what
// each of them had to say about it. Batches are used again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "frame.h"
#include "report/part.h"
#include "track/arrival.h"

namespace steertag::host {

using Block = std::shared_ptr<const uint8_t[]>;

// The memory of a frame this long is free before there is another. Bytes; any network's are far below.
inline constexpr size_t kLargeFrame = 1 << 20;

struct Batch {
  static constexpr size_t kMostFrames = 2048;
  static constexpr size_t kMostBlocks = 4;  // of capture.h, 512 KiB each

  struct Passing {
    Stamp at;
    uint32_t share = 0;
    bool dropped = false;  // frames before it were lost by who captured
  };
  static constexpr uint32_t kNothing = UINT32_MAX;  // the share of a frame with nothing to be followed

  Batch(size_t workers, size_t channels) {
    for (size_t place = 0; place < workers; ++place) {
      parts.emplace_back(channels);
    }
  }

  std::vector<Passing> frames;
  std::vector<track::Arrival> arrivals;  // of those with something to be followed; `arrived` of them
  size_t arrived = 0;
  std::vector<Block> blocks;
  int64_t origin_ns = 0;        // the time of the capture's first frame
  bool last = false;            // nothing comes after it ...
  uint64_t dropped_behind = 0;  // ... but frames that were lost

  std::vector<report::Part> parts;  // by worker

  bool full() const { return frames.size() >= kMostFrames || blocks.size() > kMostBlocks; }
  void clear() {
    frames.clear();
    arrived = 0;
    blocks.clear();
    last = false;
    dropped_behind = 0;
    for (report::Part& part : parts) {
      part.clear();
    }
  }
};

using BatchRing = std::array<std::unique_ptr<Batch>, 32>;  // so many are under way at most

}  // namespace steertag::host
