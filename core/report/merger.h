// Merger: makes one output of what was printed about each share of a capture, the same as if
// one process had followed all connections: pieces in order of their Moments, connections
// with the numbers that they have among all. A function of the pieces and of nothing else.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "flow/numbering.h"
#include "report/buffer.h"
#include "report/part.h"

namespace steertag::report {

class Merger {
 public:
  explicit Merger(size_t shares) : numbers_(shares) {}

  // The next stretch of the capture: the pieces of each share, none of which is earlier than any before.
  // Appends to `out`, and calls `done` behind each record.
  void merge(std::span<Pieces* const> shares, Buffer& out, const std::function<void()>& done);

  // The final number of a connection of that share; 0: none so far.
  track::ConnectionNumber number(size_t share, track::ConnectionNumber number) const;
  // Text of that share, with the numbers in it.
  void fill_in(size_t share, std::string_view text, Buffer& out) const;

 private:
  void take(size_t share, const Piece& piece, Buffer& out, const std::function<void()>& done);

  flow::Numbering numbering_;
  std::vector<std::deque<track::ConnectionNumber>> numbers_;  // by share and provisional number, from 1
  bool heading_ = false;                                      // was printed
};

}  // namespace steertag::report
