#include "sanitize/address_map.h"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

namespace steertag::sanitize {
namespace {

using Octets = std::vector<uint8_t>;

Octets mapped(AddressMap& map, Octets address) {
  switch (address.size()) {
    case 2:
      map.lid(address);
      break;
    case 4:
      map.ipv4(address);
      break;
    case 6:
      map.mac(address);
      break;
    default:
      map.ipv6(address);
      break;
  }
  return address;
}

// Leading bits that two have in common.
size_t common(const Octets& one, const Octets& two) {
  size_t at = 0;
  while (at < one.size() * 8 && (one[at / 8] >> (7 - at % 8) & 1) == (two[at / 8] >> (7 - at % 8) & 1)) {
    ++at;
  }
  return at;
}

TEST_CASE("addresses share as many leading bits as they did, and no more") {
  AddressMap map({1, 2});
  std::vector<Octets> addresses;
  for (const uint8_t first : {5, 10, 11, 100, 126, 128, 172, 192, 198, 223}) {
    for (uint8_t i = 0; i < 16; ++i) {
      addresses.push_back({first, static_cast<uint8_t>(i * 16), static_cast<uint8_t>(i % 3), i});
    }
  }
  for (const Octets& one : addresses) {
    for (const Octets& two : addresses) {
      if (common(one, two) >= 16) {  // of a whole prefix that is kept, or of none
        CHECK(common(mapped(map, one), mapped(map, two)) == common(one, two));
      }
      CHECK((mapped(map, one) == mapped(map, two)) == (one == two));
    }
  }
}

TEST_CASE("beside a prefix that is kept, no bit stays whatever the key") {
  for (const Octets& address : {Octets{192, 169, 1, 1}, Octets{172, 32, 1, 1}, Octets{11, 0, 0, 1},
                                Octets{169, 255, 1, 1}, Octets{126, 1, 1, 1}, Octets{1, 1, 1, 1},
                                Octets{0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
                                Octets{0xFE, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
                                Octets{0xFE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}) {
    Octets changed(address.size());
    for (uint64_t key = 0; key < 200; ++key) {
      AddressMap map({key, 7});
      const Octets image = mapped(map, address);
      for (size_t i = 0; i < address.size(); ++i) {
        changed[i] |= image[i] ^ address[i];
      }
    }
    CHECK(changed == Octets(address.size(), 0xFF));
  }
}

TEST_CASE("of a multicast address with a flag that does not exist nothing is kept but that it is one") {
  Octets changed(16);
  const Octets address{0xFF, 0x98, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
  for (uint64_t key = 0; key < 200; ++key) {
    AddressMap map({key, 7});
    const Octets image = mapped(map, address);
    for (size_t i = 0; i < address.size(); ++i) {
      changed[i] |= image[i] ^ address[i];
    }
  }
  Octets all(16, 0xFF);
  all[0] = 0;
  CHECK(changed == all);
}

TEST_CASE("a large group ID beside a network's prefix gets another value whatever the key") {
  // RFC 3306; in the second one the length of the prefix is impossible.
  for (const Octets& address : {Octets{0xFF, 0x35, 0, 64, 0x20, 1, 0xD, 0xB8, 1, 2, 3, 4, 10, 9, 0, 1},
                                Octets{0xFF, 0x35, 10, 65, 0x20, 1, 0xD, 0xB8, 1, 2, 3, 4, 10, 9, 0, 1}}) {
    const size_t begin = address[3] == 64 ? 4 : 2;
    Octets changed(16);
    for (uint64_t key = 0; key < 200; ++key) {
      AddressMap map({key, 7});
      const Octets image = mapped(map, address);
      for (size_t i = 0; i < address.size(); ++i) {
        changed[i] |= image[i] ^ address[i];
      }
    }
    Octets expected(16, 0xFF);
    std::fill_n(expected.begin(), begin, uint8_t{0});
    CHECK(changed == expected);
  }
}

TEST_CASE("what is inside of another address is mapped as it is by itself") {
  AddressMap map({1, 2});
  const Octets four = mapped(map, {10, 9, 0, 1});
  const auto last = [](const Octets& address, size_t count) {
    return Octets(address.end() - count, address.end());
  };
  CHECK(last(mapped(map, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 9, 0, 1}), 4) == four);  // IPv4-compatible
  CHECK(last(mapped(map, {0x03, 0xBF, 10, 9, 0, 1}), 4) == four);                          // of a cluster
  const Octets group = {0xFF, 0x35, 0, 64, 0x20, 1, 0xD, 0xB8, 1, 2, 3, 4, 0, 0, 0, 9};    // RFC 3306
  const Octets image = mapped(map, group);
  const Octets network = mapped(map, {0x20, 1, 0xD, 0xB8, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(Octets(image.begin() + 4, image.begin() + 12) == Octets(network.begin(), network.begin() + 8));
  CHECK(image[0] == 0xFF);
  CHECK(last(image, 4) == Octets{0, 0, 0, 9});
  CHECK(last(mapped(map, {0x01, 0, 0x5E, 0x7F, 3, 4}), 2) != Octets{3, 4});
  for (unsigned i = 0; i < 16; ++i) {  // class E stays that
    const Octets strange = mapped(map, {static_cast<uint8_t>(240 + i), 1, 2, 3});
    CHECK(strange[0] >= 240);
    CHECK(strange != Octets{static_cast<uint8_t>(240 + i), 1, 2, 3});
  }
}

TEST_CASE("what an address is for stays") {
  AddressMap map({1, 2});
  const std::vector<Octets> same = {{0, 0, 0, 0},
                                    {127, 0, 0, 1},
                                    {224, 0, 0, 251},
                                    {255, 255, 255, 255},
                                    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
                                    {0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
                                    {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
                                    {0x01, 0x80, 0xC2, 0, 0, 1},
                                    {0, 0},
                                    {0xFF, 0xFF}};
  for (const Octets& address : same) {
    CHECK(mapped(map, address) == address);
  }
  for (const Octets& address :
       {Octets{10, 1, 2, 3}, Octets{192, 168, 7, 7}, Octets{172, 20, 1, 1}, Octets{169, 254, 3, 4},
        Octets{0xFE, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8},
        Octets{0xFD, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}) {
    CHECK(mapped(map, address) != address);
    CHECK(mapped(map, address)[0] >> 1 == address[0] >> 1);
  }
  // No other address becomes one of those.
  for (unsigned first = 1; first < 224; ++first) {
    const uint8_t image = mapped(map, {static_cast<uint8_t>(first), 2, 3, 4})[0];
    CHECK((image == 127) == (first == 127));
    CHECK((image == 10) == (first == 10));
    CHECK(image < 224);
    CHECK(image != 0);
  }
}

TEST_CASE("a MAC keeps its group and local bits, and LIDs stay unicast, and different") {
  AddressMap map({1, 2});
  std::set<Octets> images;
  for (unsigned lid = 1; lid < 0xC000; lid += 5) {
    const Octets image = mapped(map, {static_cast<uint8_t>(lid >> 8), static_cast<uint8_t>(lid)});
    CHECK(image < Octets{0xC0, 0});
    CHECK(image != Octets{0, 0});
    CHECK(images.insert(image).second);
  }
  for (const uint8_t first : {0x00, 0x02, 0x52, 0xFE}) {
    CHECK((mapped(map, {first, 1, 2, 3, 4, 5})[0] & 3) == (first & 3));
  }
}

TEST_CASE("an IPv4 address is mapped alike wherever it stands, and by another key otherwise") {
  AddressMap map({1, 2}), other({1, 3});
  const Octets four = mapped(map, {10, 9, 0, 1});
  Octets six = mapped(map, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 9, 0, 1});
  CHECK(Octets(six.end() - 4, six.end()) == four);
  CHECK(mapped(other, {10, 9, 0, 1}) != four);
  CHECK(map.mapped() == 1);
}

TEST_CASE("with a key that was kept, captures of another day have the same addresses") {
  AddressMap map({1, 2});
  CHECK(mapped(map, {10, 9, 0, 1}) == Octets{10, 97, 23, 28});
  CHECK(mapped(map, {0x52, 0x54, 0, 1, 2, 3}) == Octets{0xB6, 0xFB, 0xFC, 0x86, 0xD7, 0xA9});
}

TEST_CASE("bounds: images that are remembered") {
  AddressMap map({1, 2});
  for (size_t i = 0; i < AddressMap::kMost + 10; ++i) {
    mapped(map, {20, static_cast<uint8_t>(i >> 16), static_cast<uint8_t>(i >> 8), static_cast<uint8_t>(i)});
  }
  CHECK(map.mapped() <= AddressMap::kMost);
  AddressMap fresh({1, 2});
  CHECK(mapped(map, {20, 1, 0, 5}) == mapped(fresh, {20, 1, 0, 5}));
}

}  // namespace
}  // namespace steertag::sanitize
