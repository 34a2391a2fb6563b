// Bytes: a borrowed view of octets as they were captured or are about to be
// sent. Whoever hands a view out says how long it stays good; in the analyzer
// that is "until feed() returns".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace steertag {

using Bytes = std::span<const uint8_t>;

// The part of `bytes` from `offset` on, at most `length` bytes; empty where
// the view ends before `offset`.
constexpr Bytes slice(Bytes bytes, size_t offset, size_t length = SIZE_MAX) {
  if (offset >= bytes.size()) {
    return {};
  }
  return bytes.subspan(offset, length < bytes.size() - offset ? length : bytes.size() - offset);
}

}  // namespace steertag
