// Digest: a number that stands for some bytes, so that two payloads can be
// compared without keeping either. Equal bytes have equal digests; different
// ones, unless made to, have different ones. Nothing to trust against malice.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace steertag::base {

// FNV-1a.
constexpr uint64_t digest(Bytes bytes) {
  uint64_t value = 0xcbf29ce484222325;
  for (const uint8_t byte : bytes) {
    value = (value ^ byte) * 0x100000001b3;
  }
  return value;
}

}  // namespace steertag::base
