// Pairing: which of a Reply's eligible items are in Write chunks. A reduced
// Reply does not say so. Its Write list says how many bytes each chunk holds;
// whether an item's bytes are in the next used chunk or follow their count word
// shows only when the rest of the message makes sense. So the walk is made once
// for each combination that may be, and reply.cc keeps the one that fits.
//
// Used chunks go to items in the order of the results (RFC 8267 §6.4.1). Chunks
// that hold nothing are passed over: RFC 8166 §4.3.2.2 lets a later result take a
// chunk that an earlier one had no use for, and an empty item needs none.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "nfs/walk.h"

namespace steertag::nfs {

// How well the chunks and the items of one walk go together, best first.
enum class Fit : uint8_t {
  exact,   // each used chunk holds one item, with or without its padding (RFC 5666 §3.7 counted it in)
  padded,  // the same, but padding was left inline after the count word of an item
  loose,   // a used chunk holds another number of bytes than its item, or belongs to none
};

class Pairing {
 public:
  // `returned`: the bytes of each Write chunk by the Reply's Write list, 0 for an unused one.
  explicit Pairing(std::span<const uint64_t> returned) : returned_(returned) {}

  void begin();            // a walk starts
  void place(Item& item);  // says where the item is under the present choices
  Fit fit() const;         // of the walk that ended

  uint32_t unclaimed() const;  // used chunks that no item took
  // A chunk holds another number of bytes than the item that it was given.
  bool mismatch() const { return mismatch_; }
  bool next();  // the next combination; false: that was the last

  // The choices of a walk, to be able to make it again.
  enum class Choice : uint8_t { chunk, chunk_but_pad, stream };
  static constexpr size_t kMaxChoices = 16;  // items after the 16th take the first possibility
  struct Choices {
    std::array<Choice, kMaxChoices> of{};
    size_t known = 0;
  };
  const Choices& choices() const { return choices_; }
  void set(const Choices& choices) { choices_ = choices; }

 private:
  void skip_unused();

  std::span<const uint64_t> returned_;
  Choices choices_;
  std::array<bool, kMaxChoices> padding_{};  // whether the item has padding to leave inline
  size_t made_ = 0;                          // choices in this walk
  size_t chunk_ = 0;                         // the next used chunk
  bool pad_inline_ = false;
  bool mismatch_ = false;
};

}  // namespace steertag::nfs
