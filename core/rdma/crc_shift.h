// crc_shift: arithmetic with values of the CRC-32 of Ethernet and gzip, which is
// also that of RoCE's ICRC. CRCs are linear: what bytes add to one depends on them and
// on where they stand, and on nothing else. So the CRCs of two runs of bytes can be
// joined, and those of two packets compared if it is known in which bytes they differ,
// without reading the other bytes.
#pragma once

#include <cstdint>

namespace steertag::rdma {

// What a CRC of some bytes is worth with `behind` more bytes behind them. It costs
// as many steps as `behind` has binary digits.
uint32_t crc_shifted(uint32_t crc, uint64_t behind);

// The CRC of two runs of bytes from those of each (as base::crc32(0, ...) gives
// them). `length`: bytes of the second.
inline uint32_t crc_joined(uint32_t front, uint32_t back, uint64_t length) {
  return crc_shifted(front, length) ^ back;
}

}  // namespace steertag::rdma
