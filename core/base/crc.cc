#include "base/crc.h"

#ifdef STEERTAG_ISAL
#include <isa-l/crc.h>
#endif

#include <array>
#include <cstddef>

namespace steertag::base {
namespace {

constexpr size_t kStep = 8;  // bytes
using Tables = std::array<std::array<uint32_t, 256>, kStep>;

// The first table moves the register by one byte; the next by one more each.
constexpr Tables tables(uint32_t polynomial) {
  Tables made{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1) ^ ((value & 1) != 0 ? polynomial : 0);
    }
    made[0][byte] = value;
  }
  for (size_t step = 1; step < kStep; ++step) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = made[step - 1][byte];
      made[step][byte] = (before >> 8) ^ made[0][before & 0xFF];
    }
  }
  return made;
}

constexpr Tables kCrc32 = tables(0xEDB88320), kCrc32c = tables(0x82F63B78);

uint32_t moved(const Tables& by, uint32_t value, Bytes bytes) {
  for (; bytes.size() >= kStep; bytes = bytes.subspan(kStep)) {
    uint32_t next = 0;
    for (size_t i = 0; i < kStep; ++i) {
      const uint32_t own = i < 4 ? (value >> (8 * i)) & 0xFF : 0;
      next ^= by[kStep - 1 - i][own ^ bytes[i]];
    }
    value = next;
  }
  for (const uint8_t byte : bytes) {
    value = (value >> 8) ^ by[0][(value ^ byte) & 0xFF];
  }
  return value;
}

}  // namespace

uint32_t portable_crc32(uint32_t front, Bytes bytes) {
  return ~moved(kCrc32, ~front, bytes);
}

uint32_t portable_crc32c_register(uint32_t begin, Bytes bytes) {
  return moved(kCrc32c, begin, bytes);
}

#ifdef STEERTAG_ISAL
uint32_t crc32(uint32_t front, Bytes bytes) {
  return crc32_gzip_refl(front, bytes.data(), bytes.size());
}

uint32_t crc32c_register(uint32_t begin, Bytes bytes) {
  return crc32_iscsi(const_cast<uint8_t*>(bytes.data()), static_cast<int>(bytes.size()), begin);
}
#else
uint32_t crc32(uint32_t front, Bytes bytes) {
  return portable_crc32(front, bytes);
}

uint32_t crc32c_register(uint32_t begin, Bytes bytes) {
  return portable_crc32c_register(begin, bytes);
}
#endif

}  // namespace steertag::base
