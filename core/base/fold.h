// fold(): two words into one, by the two halves of their product. A few of these, side by
// side, mix a key of several words in the time of one. Equal words give equal results in
// every process; not a defence against malice, and not to be printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bytes.h"

namespace steertag::base {

// Digits of pi: odd-looking words for callers to tell apart by XOR what goes into one key.
constexpr uint64_t kSalt[] = {0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0,
                              0x082EFA98EC4E6C89, 0x452821E638D01377, 0xBE5466CF34E90C6C};

constexpr uint64_t fold(uint64_t x, uint64_t y) {
  __extension__ typedef unsigned __int128 Wide;
  const Wide product = static_cast<Wide>(x) * y;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// The bytes from `at` on as a word, in the byte order of the machine; zeros for those that are not there. One
// load where the length is known, as it is for every packet; a compiler may think it too long to be inlined.
[[gnu::always_inline]] inline uint64_t word(Bytes bytes, size_t at = 0) {
  uint64_t value = 0;
  if (at + sizeof value <= bytes.size()) [[likely]] {
    std::memcpy(&value, bytes.data() + at, sizeof value);
  } else if (at < bytes.size()) {
    std::memcpy(&value, bytes.data() + at, bytes.size() - at);
  }
  return value;
}

}  // namespace steertag::base
