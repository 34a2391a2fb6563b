#include "nfs/pairing.h"

#include "nfs/cursor.h"

namespace steertag::nfs {

void Pairing::begin() {
  made_ = 0;
  chunk_ = 0;
  pad_inline_ = mismatch_ = false;
  skip_unused();
}

void Pairing::skip_unused() {
  while (chunk_ < returned_.size() && returned_[chunk_] == 0) {
    ++chunk_;
  }
}

void Pairing::place(Item& item) {
  item.placed = Placed::in_stream;
  if (item.count == 0 || chunk_ == returned_.size()) {
    return;
  }
  Choice choice = Choice::chunk;
  if (made_ < kMaxChoices) {
    if (made_ == choices_.known) {
      choices_.of[choices_.known++] = Choice::chunk;
    }
    padding_[made_] = item.count % 4 != 0;
    choice = choices_.of[made_++];
  }
  if (choice == Choice::stream) {
    return;
  }
  item.placed = Placed::in_chunk;
  item.chunk = static_cast<uint32_t>(chunk_);
  item.pad_inline = choice == Choice::chunk_but_pad;
  pad_inline_ |= item.pad_inline;
  mismatch_ |= returned_[chunk_] != item.count && returned_[chunk_] != padded(item.count);
  ++chunk_;
  skip_unused();
}

uint32_t Pairing::unclaimed() const {
  uint32_t count = 0;
  for (size_t i = chunk_; i < returned_.size(); ++i) {
    count += returned_[i] != 0 ? 1 : 0;
  }
  return count;
}

Fit Pairing::fit() const {
  if (mismatch_ || chunk_ < returned_.size()) {
    return Fit::loose;
  }
  return pad_inline_ ? Fit::padded : Fit::exact;
}

// Like counting: the last choice that has another possibility takes it, and the
// choices after it start over.
bool Pairing::next() {
  for (choices_.known = made_; choices_.known > 0; --choices_.known) {
    Choice& last = choices_.of[choices_.known - 1];
    if (last == Choice::chunk) {
      last = padding_[choices_.known - 1] ? Choice::chunk_but_pad : Choice::stream;
      return true;
    }
    if (last == Choice::chunk_but_pad) {
      last = Choice::stream;
      return true;
    }
  }
  return false;
}

}  // namespace steertag::nfs
