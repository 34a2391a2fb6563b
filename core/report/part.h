// Part: what was printed about one share of a capture's connections, piece by piece, each with
// its Moment; and between the pieces, what their numbering needs to know. A Merger makes one
// output of the Parts of all shares. Kept and cleared, it stops allocating.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "flow/numbering.h"
#include "moment.h"
#include "report/buffer.h"

namespace steertag::report {

struct Piece {
  enum class Kind : uint8_t {
    record,
    heading,  // every share has it once, in front of its first record; of all of them the first counts
    promise,  // no text
  };
  Moment at;
  Kind kind = Kind::record;
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
  Buffer& buffer() { return text_; }
  // What was appended to the buffer is a piece.
  void done(const Moment& now, Piece::Kind kind) {
    if (text_.size() != end_) {
      add({.at = now, .kind = kind, .end = end_ = text_.size()});
    }
  }
  void note(const Moment& now, flow::Promise promise, track::ConnectionNumber number, uint64_t order) {
    add({now, Piece::Kind::promise, promise, number, order, end_});
  }

  bool next(Piece& piece) override {
    if (read_ == kept_.size()) {
      return false;
    }
    const size_t begin = read_ == 0 ? 0 : kept_[read_ - 1].end;
    const Kept& kept = kept_[read_++];
    piece = {kept.at,     kept.kind,  kept.promise,
             kept.number, kept.order, view(text_).substr(begin, kept.end - begin)};
    return true;
  }
  void clear() {
    text_.clear();
    kept_.clear();
    read_ = end_ = 0;
  }

 private:
  struct Kept {
    Moment at;
    Piece::Kind kind{};
    flow::Promise promise{};
    uint32_t number = 0;
    uint64_t order = 0;
    size_t end = 0;  // of its text in text_
  };
  void add(const Kept& kept) { kept_.push_back(kept); }

  Buffer text_;
  std::vector<Kept> kept_;
  size_t end_ = 0, read_ = 0;
};

}  // namespace steertag::report
