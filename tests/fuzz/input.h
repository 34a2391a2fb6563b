// Input: takes a fuzzer's bytes apart, front to back. Past the end every number
// is zero and every stretch is empty, so targets are written straight down.
// The seeds of scripts/make-corpus are laid out the same way, big-endian.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/bytes.h"

namespace steertag::fuzz {

class Input {
 public:
  explicit Input(Bytes bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }

  uint64_t number(size_t width) {
    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i) {
      const Bytes byte = take(1);
      value = value << 8 | (byte.empty() ? 0U : byte[0]);
    }
    return value;
  }

  // One of so many, from 0; `choices` is at most 256.
  uint32_t one_of(uint32_t choices) { return static_cast<uint32_t>(number(1) % choices); }

  // Bytes whose number comes first.
  Bytes counted(size_t width) { return take(static_cast<size_t>(number(width))); }

  Bytes take(size_t length) {
    const Bytes taken = slice(bytes_, 0, length);
    bytes_ = slice(bytes_, taken.size());
    return taken;
  }

  Bytes rest() { return take(bytes_.size()); }

 private:
  Bytes bytes_;
};

// Ends the run: something that must hold for every input does not.
inline void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

// The same where something is wrong with a text, which is shown. Null: nothing is.
inline void require_sound(const char* wrong, std::string_view text) {
  if (wrong != nullptr) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
    require(false, wrong);
  }
}

}  // namespace steertag::fuzz
