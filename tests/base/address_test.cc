#include "base/address.h"

#include <array>
#include <catch2/catch.hpp>

using steertag::base::Address;

namespace {

std::string ipv6(std::array<uint16_t, 8> groups) {
  std::array<uint8_t, 16> octets{};
  for (size_t i = 0; i < 8; ++i) {
    octets[2 * i] = static_cast<uint8_t>(groups[i] >> 8);
    octets[2 * i + 1] = static_cast<uint8_t>(groups[i]);
  }
  return Address::ipv6(octets).text();
}

}  // namespace

TEST_CASE("addresses print in their canonical text") {
  CHECK(Address{}.text() == "");
  CHECK(Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, 1}).text() == "10.9.0.1");
  CHECK(Address::lid(0x1234).text() == "lid:4660");
  CHECK(ipv6({0xfd09, 0, 0, 0, 0, 0, 0, 1}) == "fd09::1");
  CHECK(ipv6({0, 0, 0, 0, 0, 0, 0, 0}) == "::");
  CHECK(ipv6({0, 0, 0, 0, 0, 0, 0, 1}) == "::1");
  CHECK(ipv6({1, 0, 0, 0, 0, 0, 0, 0}) == "1::");
  CHECK(ipv6({0x2001, 0xdb8, 0, 1, 1, 1, 1, 1}) ==
        "2001:db8:0:1:1:1:1:1");                                          // one group stays, RFC 5952 §4.2.2
  CHECK(ipv6({0x2001, 0xdb8, 0, 0, 1, 0, 0, 1}) == "2001:db8::1:0:0:1");  // the first of two, §4.2.3
  CHECK(ipv6({0x2001, 0, 0, 1, 0, 0, 0, 1}) == "2001:0:0:1::1");          // the longest, §4.2.3
  CHECK(ipv6({0xfe80, 1, 2, 3, 4, 5, 6, 0xABCD}) == "fe80:1:2:3:4:5:6:abcd");  // lower case, §4.3
}

TEST_CASE("an IPv4-mapped GID keeps its dotted form, and is not the IPv4 address itself") {
  const auto four = Address::ipv4(std::array<uint8_t, 4>{10, 9, 0, 1});
  const auto gid = Address::gid(four.octets);
  CHECK(gid.text() == "::ffff:10.9.0.1");
  CHECK(gid.octets == four.octets);
  CHECK(gid != four);
}
