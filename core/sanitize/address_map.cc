#include "sanitize/address_map.h"

#include <algorithm>
#include <initializer_list>

namespace steertag::sanitize {

// Addresses that begin so keep their first bits, and no other gets them.
struct AddressMap::Prefix {
  std::array<uint8_t, 16> octets;
  uint8_t length;  // bits
  bool whole;      // and all their other bits, too
};

namespace {

enum Kind : uint8_t { kOfIpv4, kOfIpv6, kOfMac, kOfLid };

bool bit(Bytes address, size_t at) {
  return (address[at / 8] >> (7 - at % 8) & 1) != 0;
}

// The first `bits` bits of both are the same.
bool agree(Bytes one, Bytes two, size_t bits) {
  if (!std::equal(one.begin(), one.begin() + static_cast<ptrdiff_t>(bits / 8), two.begin())) {
    return false;
  }
  const auto mask = static_cast<uint8_t>(0xFF00 >> bits % 8);
  return bits % 8 == 0 || ((one[bits / 8] ^ two[bits / 8]) & mask) == 0;
}

bool starts(Bytes address, std::initializer_list<uint8_t> with) {
  return std::equal(with.begin(), with.end(), address.begin());
}

}  // namespace

AddressMap::AddressMap(const Key& key) : key_(key.derive('A')) {}

void AddressMap::ipv4(std::span<uint8_t> address) {
  static constexpr Prefix kept[] = {{{0}, 8, true},          {{127}, 8, true}, {{224}, 3, true},
                                    {{169, 254}, 16, false}, {{10}, 8, false}, {{172, 16}, 12, false},
                                    {{192, 168}, 16, false}};
  map(kOfIpv4, address, kept);
}

void AddressMap::ipv6(std::span<uint8_t> address) {
  static constexpr Prefix kept[] = {{{0}, 96, true},            // unspecified, loopback
                                    {{0xFE, 0x80}, 64, false},  // link-local
                                    {{0xFC}, 7, false},         // unique local
                                    {{0xFF}, 8, true}};         // multicast
  if (starts(address, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF})) {
    ipv4(address.subspan(12));
  } else if (starts(address, {0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF})) {  // RFC 4291 §2.7.1
    low_bits(address.subspan(13));
  } else {
    map(kOfIpv6, address, kept);
  }
}

void AddressMap::mac(std::span<uint8_t> address) {
  if (starts(address, {0x33, 0x33, 0xFF})) {  // RFC 2464 §7, of a solicited-node address
    low_bits(address.subspan(3));
  } else if ((address[0] & 1) == 0) {
    map(kOfMac, address, {});
  }
}

// IBTA vol. 1 §4.1.1: zero is reserved, from 0xC000 on they are multicast.
void AddressMap::lid(std::span<uint8_t> address) {
  static constexpr Prefix kept[] = {{{0, 0}, 16, true}, {{0xC0}, 2, true}};
  map(kOfLid, address, kept);
}

void AddressMap::map(uint8_t kind, std::span<uint8_t> address, std::span<const Prefix> kept) {
  Octets from{kind};
  std::copy(address.begin(), address.end(), from.begin() + 1);
  if (const auto found = known_.find(from); found != known_.end()) {
    std::copy_n(found->second.begin() + 1, address.size(), address.begin());
    return;
  }
  flip(kind, address, kept);
  if (known_.size() < kMost) {
    Octets to{kind};
    std::copy(address.begin(), address.end(), to.begin() + 1);
    mapped_ += from != to ? 1 : 0;
    known_.emplace(from, to);
  }
}

// Each bit is turned over, or not, by a function of those before it: so this is a permutation that keeps
// prefixes. Where both values of the bit lead to addresses of which only some begin with a prefix that is
// kept, it stays: else some would get that prefix that have it not.
void AddressMap::flip(uint8_t kind, std::span<uint8_t> address, std::span<const Prefix> kept) const {
  const std::array<uint8_t, 16> from = [&] {
    std::array<uint8_t, 16> copy{};
    std::copy(address.begin(), address.end(), copy.begin());
    return copy;
  }();
  std::array<uint8_t, 19> before{kind};  // kind, how many bits, and these
  for (size_t at = 0; at < address.size() * 8; ++at) {
    const bool stays = (kind == kOfMac && (at == 6 || at == 7)) ||  // group and local bit, IEEE 802 §8.2
                       std::any_of(kept.begin(), kept.end(), [&](const Prefix& prefix) {
                         return (at < prefix.length || prefix.whole) &&
                                agree(from, prefix.octets, std::min<size_t>(at, prefix.length));
                       });
    before[1] = static_cast<uint8_t>(at);
    if (!stays && (key_.hash(before) & 1) != 0) {
      address[at / 8] ^= static_cast<uint8_t>(0x80 >> at % 8);
    }
    if (bit(from, at)) {
      before[2 + at / 8] |= static_cast<uint8_t>(0x80 >> at % 8);
    }
  }
}

void AddressMap::low_bits(std::span<uint8_t> three) const {
  disguise(key_, Bytes(three).first(3), three.first(3));
}

}  // namespace steertag::sanitize
