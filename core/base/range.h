// Range: a place in a message or a frame, so that a finding, an outline and a
// tree item can point at the same bytes. Offsets count from the start of the
// structure that is described.
#pragma once

#include <cstdint>

namespace steertag {

struct Range {
  uint32_t offset = 0;  // bytes from the start of the structure that is described
  uint32_t length = 0;  // bytes

  constexpr uint32_t end() const { return offset + length; }
  friend bool operator==(const Range&, const Range&) = default;
};

}  // namespace steertag
