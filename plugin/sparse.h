// Sparse: a string of bytes, of which those that were not captured are zeros and
// take no space. Headers may claim anything: a Notebook that keeps a whole capture's
// messages may only grow with what was captured.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bytes.h"

namespace steertag::plugin {

class Sparse {
 public:
  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Appends `data` and then zeros, together `length` bytes.
  void append(Bytes data, uint64_t length) {
    data = slice(data, 0, static_cast<size_t>(length));
    if (!data.empty()) {
      if (runs_.empty() || runs_.back().end() != size_) {
        runs_.push_back({size_, {}});
      }
      runs_.back().bytes.insert(runs_.back().bytes.end(), data.begin(), data.end());
    }
    size_ += length;
  }
  void append_zeros(uint64_t length) { size_ += length; }

  // Appends `length` bytes of another one, from `offset` on; past its end there are zeros.
  void append(const Sparse& other, uint64_t offset, uint64_t length) {
    const uint64_t start = size_, end = offset + length;
    for (const Run& run : other.runs_) {
      const uint64_t from = std::max(run.at, offset), to = std::min(run.end(), end);
      if (from < to) {
        append_zeros(start + (from - offset) - size_);
        append(slice(run.bytes, static_cast<size_t>(from - run.at)), to - from);
      }
    }
    size_ = start + length;
  }

  // The first bytes, at most that many, as far as they are contiguous.
  Bytes front(uint64_t most) const {
    return runs_.empty() || runs_.front().at != 0 ? Bytes()
                                                  : slice(runs_.front().bytes, 0, static_cast<size_t>(most));
  }

  // All of it, to where size() zeros are.
  void copy(uint8_t* into) const {
    for (const Run& run : runs_) {
      std::copy(run.bytes.begin(), run.bytes.end(), into + run.at);
    }
  }

 private:
  struct Run {
    uint64_t at;
    std::vector<uint8_t> bytes;
    uint64_t end() const { return at + bytes.size(); }
  };

  std::vector<Run> runs_;
  uint64_t size_ = 0;
};

}  // namespace steertag::plugin
