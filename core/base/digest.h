// Digest: a number that stands for some bytes, so that two payloads can be
// compared without keeping either. Equal bytes have equal digests within one
// process; different ones, unless made to, have different ones. Nothing to trust
// against malice, and not to be printed.
#pragma once

#include <absl/hash/hash.h>

#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace steertag::base {

inline uint64_t digest(Bytes bytes) {
  return absl::HashOf(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace steertag::base
