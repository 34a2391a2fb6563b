// Key: what the values of a sanitized capture are made with. Whoever has the key can test a guess of what an
// address or a name was; without it nothing can be found but that two were the same. Its hash is SipHash-2-4
// (Aumasson and Bernstein, INDOCRYPT 2012), a pseudorandom function of short inputs under a key of 128 bits.
#pragma once

#include <cstdint>
#include <span>

#include "base/bytes.h"

namespace steertag::sanitize {

struct Key {
  uint64_t first = 0, second = 0;
  // Of what the images are: for the proof that nothing else says anything, the same constant of everything,
  // or any bytes, also where there would be zeros. A zero is none of them: what has only zeros, and is not
  // read, stays, since a rule asks for it (PAY-07).
  enum class Images : uint8_t { letters, constant, bytes };
  Images images = Images::letters;

  // Of any bytes: those of a file, a passphrase.
  static Key of(Bytes bytes);
  uint64_t hash(Bytes bytes) const;  // to tell whether two are the same
  uint64_t image(Bytes bytes) const {
    return images == Images::constant ? 0 : hash(bytes);
  }  // to write in place of them
  // The same for another purpose: what two keys give has nothing to do with each other.
  Key derive(uint64_t purpose) const;
};

// What is written in place of `original`, of the same length: letters, the same for the same bytes, and
// otherwise others.
void disguise(const Key& key, Bytes original, std::span<uint8_t> into);

// What stands where nothing is told: zeros; with Images::bytes, any.
void blank(const Key& key, std::span<uint8_t> into);

}  // namespace steertag::sanitize
