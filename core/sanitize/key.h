// Key: what the values of a sanitized capture are made with. Whoever has the key can test a guess of what an
// address or a name was; without it nothing can be found but that two were the same. Its hash is SipHash-2-4
// (Aumasson and Bernstein, INDOCRYPT 2012), a pseudorandom function of short inputs under a key of 128 bits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace steertag::sanitize {

struct Key {
  uint64_t first = 0, second = 0;

  // Of any bytes: those of a file, a passphrase.
  static Key of(Bytes bytes);
  uint64_t hash(Bytes bytes) const;
  // The same for another purpose: what two keys give has nothing to do with each other.
  Key derive(uint64_t purpose) const;
};

// What is written in place of `original`, of the same length: the same for the same bytes, and otherwise
// something else. Letters; but bytes that are all 0x00, or all 0xFF, say nothing and stay.
void disguise(const Key& key, Bytes original, std::span<uint8_t> into);

}  // namespace steertag::sanitize
