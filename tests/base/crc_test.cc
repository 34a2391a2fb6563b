// CRC-32 and CRC32c: their published check values; and by tables they are what they are by the library that
// is made for it, whatever the length, and wherever the bytes are divided.
#include "base/crc.h"

#include <catch2/catch.hpp>
#include <random>
#include <string_view>
#include <vector>

namespace steertag::base {

TEST_CASE("crc: check values") {
  constexpr std::string_view kDigits = "123456789";
  const Bytes bytes(reinterpret_cast<const uint8_t*>(kDigits.data()), kDigits.size());
  CHECK(crc32(0, bytes) == 0xCBF43926);
  CHECK(portable_crc32(0, bytes) == 0xCBF43926);
  CHECK(~crc32c_register(0xFFFFFFFF, bytes) == 0xE3069283);
  CHECK(~portable_crc32c_register(0xFFFFFFFF, bytes) == 0xE3069283);
}

TEST_CASE("crc: by tables the values are the same") {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(2000);
  for (uint8_t& byte : bytes) {
    byte = static_cast<uint8_t>(random());
  }
  for (size_t length = 0; length < 300; ++length) {
    const size_t offset = length % 17;
    const Bytes part = slice(Bytes(bytes), offset, length);
    const auto begin = static_cast<uint32_t>(random());
    CHECK(portable_crc32(begin, part) == crc32(begin, part));
    CHECK(portable_crc32c_register(begin, part) == crc32c_register(begin, part));
  }
  for (size_t at = 0; at < bytes.size(); at += 37) {
    const Bytes front = Bytes(bytes).first(at), back = Bytes(bytes).subspan(at);
    CHECK(portable_crc32(portable_crc32(0, front), back) == crc32(0, bytes));
    CHECK(portable_crc32c_register(portable_crc32c_register(7, front), back) == crc32c_register(7, bytes));
  }
}

}  // namespace steertag::base
