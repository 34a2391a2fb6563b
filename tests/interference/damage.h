// Damage: one thing that is wrong with a capture: a word, a byte, a frame. It is drawn once and done to
// several captures of the same frames.
#pragma once

#include <cstdint>
#include <string>

#include "legal/dice.h"
#include "support/trace.h"

namespace steertag::interference {

struct Damage {
  enum class Kind : uint8_t { none, word, byte, bit, cut, lost, twice, swapped, shifted };
  Kind kind = Kind::none;
  size_t frame = 0;    // index
  size_t at = 0;       // bytes from its start
  uint32_t value = 0;  // of the word, of the byte, how many bytes
  bool sent = false;   // by a sender that made the checksum of TCP, or the ICRC, over it
};

// Something that may be wrong with such a capture.
Damage draw(legal::Dice& dice, const support::Trace& trace);
// It changes bytes that are not the same in both.
bool meets_secret(const Damage& damage, const support::Trace& one, const support::Trace& two);
void inflict(const Damage& damage, support::Trace& trace);
std::string text(const Damage& damage);

}  // namespace steertag::interference
