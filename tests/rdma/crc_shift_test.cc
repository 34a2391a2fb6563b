#include "rdma/crc_shift.h"

#include <catch2/catch.hpp>
#include <vector>

using steertag::rdma::crc_joined;
using steertag::rdma::crc_shifted;

namespace {

// CRC-32 of Ethernet, bit by bit.
uint32_t crc_of(const std::vector<uint8_t>& bytes, uint32_t start = ~0u) {
  uint32_t crc = start;
  for (const uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
  }
  return crc;
}

}  // namespace

TEST_CASE("CRCs of two runs of bytes are joined") {
  std::vector<uint8_t> all;
  for (int i = 0; i < 1000; ++i) {
    all.push_back(static_cast<uint8_t>(i * 7 + i / 13));
  }
  for (const size_t cut : {0, 1, 2, 3, 4, 255, 256, 999, 1000}) {
    const std::vector<uint8_t> front(all.begin(), all.begin() + static_cast<ptrdiff_t>(cut));
    const std::vector<uint8_t> back(all.begin() + static_cast<ptrdiff_t>(cut), all.end());
    CHECK(crc_joined(~crc_of(front), ~crc_of(back), back.size()) == ~crc_of(all));
  }
}

TEST_CASE("what a byte adds to a CRC is shifted by the bytes behind it") {
  for (const size_t behind : {0, 1, 17, 4096}) {
    std::vector<uint8_t> bytes{0x5A};
    const uint32_t alone = crc_of(bytes, 0);
    bytes.resize(1 + behind);
    CHECK(crc_shifted(alone, behind) == crc_of(bytes, 0));
  }
}
