// Merger: makes one output of what was printed about each share of a capture, the same as if
// one process had followed all connections: pieces in order of their Moments, connections
// with the numbers that they have among all. A function of the pieces and of nothing else.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flow/numbering.h"
#include "report/buffer.h"
#include "report/part.h"

namespace steertag::report {

class Merger {
 public:
  explicit Merger(size_t shares) : numbers_(shares) {}

  // Where the records of a channel go.
  class Sink {
   public:
    virtual Buffer& buffer(size_t channel) = 0;
    virtual void record_done(size_t channel) = 0;  // a record was appended

   protected:
    ~Sink() = default;
  };
  // The next stretch of the capture: the pieces of each share, none of which is earlier than any before.
  void merge(std::span<Pieces* const> shares, Sink& sink);
  // The same where there is one channel.
  void merge(std::span<Pieces* const> shares, Buffer& out, const std::function<void()>& done);

  // The final number of a connection of that share; 0: none so far.
  track::ConnectionNumber number(size_t share, track::ConnectionNumber number) const;
  // Text of that share, with the numbers in it.
  void fill_in(size_t share, std::string_view text, Buffer& out) const;

 private:
  void take(size_t share, const Piece& piece, Sink& sink);

  flow::Numbering numbering_;
  std::vector<std::deque<track::ConnectionNumber>> numbers_;  // by share and provisional number, from 1
  struct Heading {
    std::string text;
    bool stands = false;  // above what is printed next, in sight
  };
  std::vector<Heading> headings_;  // by channel
};

}  // namespace steertag::report
