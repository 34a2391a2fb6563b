// The TCP options that somebody asks for: selective acknowledgments (RFC 2018), and among
// them the report that something came twice (RFC 2883). A function of the option bytes of
// one segment, which the snaplen may have cut.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace steertag::link {

// The blocks of the SACK option, as far as captured; unset where there is none.
inline std::optional<Bytes> find_sack(Bytes options) {
  constexpr uint8_t kEnd = 0, kNothing = 1, kSack = 5;
  constexpr std::array<uint8_t, 4> kTimestamp = {kNothing, kNothing, 8, 10};  // most have it alone: RFC 7323
  if (options.size() == 12 && std::equal(kTimestamp.begin(), kTimestamp.end(), options.begin())) [[likely]] {
    return std::nullopt;
  }
  for (size_t at = 0; at < options.size() && options[at] != kEnd;) {
    const size_t length = options[at] == kNothing   ? 1
                          : at + 1 < options.size() ? std::max<size_t>(options[at + 1], 2)
                                                    : 2;
    if (options[at] == kSack) {
      return slice(options, at + 2, length - 2);
    }
    at += length;
  }
  return std::nullopt;
}

// Sequence numbers, from `begin` to before `end`.
struct SequenceRange {
  uint32_t begin = 0, end = 0;
};

// What the sender of a segment with this acknowledgment number received twice. RFC 2883 §4: the first block
// says so where it lies before the acknowledgment number, or within the second block.
inline std::optional<SequenceRange> received_twice(Bytes options, uint32_t acknowledgment) {
  const std::optional<Bytes> blocks = find_sack(options);
  const auto word = [&](size_t at) {
    return uint32_t{(*blocks)[at]} << 24 | uint32_t{(*blocks)[at + 1]} << 16 |
           uint32_t{(*blocks)[at + 2]} << 8 | uint32_t{(*blocks)[at + 3]};
  };
  const auto before = [](uint32_t a, uint32_t b) { return static_cast<int32_t>(a - b) <= 0; };
  if (!blocks || blocks->size() < 8) {
    return std::nullopt;
  }
  const SequenceRange first{word(0), word(4)};
  const bool within = blocks->size() >= 16 && before(word(8), first.begin) && before(first.end, word(12));
  return before(first.end, acknowledgment) || within ? std::optional(first) : std::nullopt;
}

}  // namespace steertag::link
