// FrameNotes: for each frame of a capture the notes that concern it, in the order
// in which they were added. Frames are numbered without gaps and most have few
// notes or none: a row with eight bytes for each frame, and the notes in chains.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace steertag::plugin {

struct Note {
  enum class Kind : uint8_t {
    message,
    rpc,
    placement,
    finding,
    piece,  // of the message with that index, in a frame before the one that completed it
    times,
    loss,    // in the frame that was lost
    repeat,  // in the frame that was sent again
    ack,
    copied,  // the same repeat, in the frame of the first copy
  };
  Kind kind;
  uint32_t index;
};

class FrameNotes {
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Link {
    Note note;
    uint32_t next = kNone;
  };
  struct Chain {
    uint32_t first = kNone, last = kNone;
  };

 public:
  class Iterator {
   public:
    Iterator(const std::deque<Link>& links, uint32_t at) : links_(&links), at_(at) {}
    const Note& operator*() const { return (*links_)[at_].note; }
    Iterator& operator++() {
      at_ = (*links_)[at_].next;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const std::deque<Link>* links_;
    uint32_t at_;
  };
  struct Range {
    Iterator from, to;
    Iterator begin() const { return from; }
    Iterator end() const { return to; }
    bool empty() const { return from == to; }
  };

  void add(uint32_t frame, Note note) {
    const uint32_t added = static_cast<uint32_t>(links_.size());
    links_.push_back({note});
    if (chains_.size() <= frame) {
      chains_.resize(size_t{frame} + 1);
    }
    Chain& chain = chains_[frame];
    (chain.first == kNone ? chain.first : links_[chain.last].next) = added;
    chain.last = added;
  }

  size_t size() const { return links_.size(); }  // notes
  size_t frames() const { return chains_.size(); }

  // Forgets all but the first `size` notes, also one that add() could not finish. Asks for no memory; nothing
  // is added afterwards.
  void cut(size_t size) {
    for (Chain& chain : chains_) {
      chain.first = chain.first < size ? chain.first : kNone;
    }
    for (size_t i = 0; i < size; ++i) {
      links_[i].next = links_[i].next < size ? links_[i].next : kNone;
    }
  }

  Range of(uint32_t frame) const {
    const uint32_t first = frame < chains_.size() ? chains_[frame].first : kNone;
    return {{links_, first}, {links_, kNone}};
  }

 private:
  std::deque<Link> links_;
  std::deque<Chain> chains_;
};

}  // namespace steertag::plugin
