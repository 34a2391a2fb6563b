// Part: what was printed about one share of a capture's connections, piece by piece, each with
// its Moment; and between the pieces, what their numbering needs to know. A Merger makes one
// output of the Parts of all shares. Where the same is written in several forms at a time, each piece is of
// the channel of its form. Kept and cleared, it stops allocating.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "flow/numbering.h"
#include "moment.h"
#include "report/buffer.h"

namespace steertag::report {

struct Piece {
  enum class Kind : uint8_t {
    record,
    heading,  // each share has it in front of its records, and again behind an aside; printed once
    aside,    // a line that interrupts the table: the heading stands again above what comes next
    promise,  // no text
  };
  Moment at;
  Kind kind = Kind::record;
  size_t channel = 0;
  // Of a promise: what became of it, of which connection.
  flow::Promise promise{};
  uint32_t number = 0;    // provisional, of its share
  uint64_t order = 0;     // track::Connection::order
  std::string_view text;  // good until the next piece is asked for
};

// Pieces one after the other, in order of their Moments.
class Pieces {
 public:
  virtual bool next(Piece& piece) = 0;  // false: no more

 protected:
  ~Pieces() = default;
};

class Part final : public Pieces {
 public:
  explicit Part(size_t channels = 1) : channels_(channels) {}

  Buffer& buffer(size_t channel = 0) { return channels_[channel].text; }
  // What was appended to the buffer of that channel is a piece.
  void done(const Moment& now, Piece::Kind kind, size_t channel = 0) {
    Channel& of = channels_[channel];
    if (of.text.size() != of.end) {
      of.end = of.text.size();
      kept_.push_back({.at = now, .kind = kind, .channel = channel, .end = of.end});
    }
  }
  void note(const Moment& now, flow::Promise promise, track::ConnectionNumber number, uint64_t order) {
    kept_.push_back({now, Piece::Kind::promise, 0, promise, number, order, channels_[0].end});
  }

  bool next(Piece& piece) override {
    if (read_ == kept_.size()) {
      return false;
    }
    const Kept& kept = kept_[read_++];
    Channel& of = channels_[kept.channel];
    const size_t begin = std::exchange(of.read, kept.end);
    piece = {kept.at,
             kept.kind,
             kept.channel,
             kept.promise,
             kept.number,
             kept.order,
             view(of.text).substr(begin, kept.end - begin)};
    return true;
  }
  // The pieces take more than so many bytes, and no other has been begun.
  bool full(size_t most) const {
    size_t bytes = kept_.size() * sizeof(Kept);
    for (const Channel& channel : channels_) {
      if (channel.text.size() != channel.end) {
        return false;
      }
      bytes += channel.end;
    }
    return bytes > most;
  }
  void clear() {
    for (Channel& channel : channels_) {
      if (channel.text.capacity() > kMostSpare) [[unlikely]] {
        channel.text = Buffer();
      }
      channel.text.clear();
      channel.end = channel.read = 0;
    }
    kept_.clear();
    read_ = 0;
  }

 private:
  static constexpr size_t kMostSpare = 2 << 20;  // bytes of a buffer that is kept for what comes next

  struct Kept {
    Moment at;
    Piece::Kind kind{};
    size_t channel = 0;
    flow::Promise promise{};
    uint32_t number = 0;
    uint64_t order = 0;
    size_t end = 0;  // of its text in that of its channel
  };
  struct Channel {
    Buffer text;
    size_t end = 0, read = 0;  // of the pieces so far; of those that were asked for
  };

  std::vector<Channel> channels_;
  std::vector<Kept> kept_;
  size_t read_ = 0;
};

}  // namespace steertag::report
