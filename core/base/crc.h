// CRC-32, of Ethernet, gzip and RoCE's ICRC, and CRC32c, of MPA. Where ISA-L is there when the library is
// built, it computes them; otherwise tables do, eight bytes at a step. The values are the same either way.
// Neither keeps the bytes.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace steertag::base {

// Goes on from the CRC-32 of what stands in front of the bytes; 0: nothing does.
uint32_t crc32(uint32_t front, Bytes bytes);
// CRC32c without the complements at both ends, which the caller does where they are wanted: from one value of
// the register to the next.
uint32_t crc32c_register(uint32_t begin, Bytes bytes);

// The same by tables, however the library is built.
uint32_t portable_crc32(uint32_t front, Bytes bytes);
uint32_t portable_crc32c_register(uint32_t begin, Bytes bytes);

}  // namespace steertag::base
