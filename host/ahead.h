// Ahead: the next few frames of a capture, kept with the memory that they lie in, so that
// they are followed together and what is known of their connections can be asked for early:
// see Analyzer::feed().
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "analyzer.h"
#include "frame.h"
#include "host/batch.h"

namespace steertag::host {

class Ahead {
 public:
  // True where that is enough: then the frames are to be followed, and cleared.
  bool add(const Frame& frame, const Block& block) {
    if (blocks_ == 0 || block_[blocks_ - 1] != block) {
      block_[blocks_++] = block;
    }
    frames_[count_++] = frame;
    return count_ == frames_.size() || blocks_ == block_.size() || frame.bytes.size() > kLargeFrame;
  }
  std::span<const Frame> frames() const { return {frames_.data(), count_}; }
  void clear() {
    count_ = 0;
    for (; blocks_ != 0; --blocks_) {
      block_[blocks_ - 1].reset();
    }
  }

 private:
  std::array<Frame, Analyzer::kTogether> frames_;
  size_t count_ = 0;
  std::array<Block, 4> block_;
  size_t blocks_ = 0;
};

}  // namespace steertag::host
