// ByteOrder: numbers of a capture file's own headers. Such files are written in
// the byte order of the machine that wrote them, which their magic number reveals.
// The caller guarantees that the bytes are there.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace steertag::capture {

struct ByteOrder {
  bool big = false;

  uint16_t u16(const uint8_t* at) const {
    return static_cast<uint16_t>(big ? at[0] << 8 | at[1] : at[1] << 8 | at[0]);
  }
  uint32_t u32(const uint8_t* at) const {
    uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return foreign() ? __builtin_bswap32(value) : value;
  }
  uint64_t u64(const uint8_t* at) const {
    uint64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return foreign() ? __builtin_bswap64(value) : value;
  }

 private:
  bool foreign() const { return big != (std::endian::native == std::endian::big); }
};

}  // namespace steertag::capture
