#include "sanitize/address_map.h"

#include <algorithm>
#include <initializer_list>

namespace steertag::sanitize {

// Addresses that begin so keep these bits, and no other gets them.
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

// A multicast address of IPv6 that is the same everywhere, of one byte (RFC 4291 §2.7.1).
bool known_group(Bytes address) {
  return std::all_of(address.begin() + 2, address.end() - 1, [](uint8_t octet) { return octet == 0; });
}

// RFC 3306 §4: the flags P and T, and a network's prefix of at most 64 bits.
bool holds_prefix(Bytes address) {
  return address[0] == 0xFF && (address[1] & 0xB0) == 0x30 && address[3] <= 64;
}

bool starts(Bytes address, std::initializer_list<uint8_t> with) {
  return std::equal(with.begin(), with.end(), address.begin());
}

}  // namespace

AddressMap::AddressMap(const Key& key) : key_(key.derive('A')) {}

void AddressMap::ipv4(std::span<uint8_t> address) {
  static constexpr Prefix kept[] = {{{0}, 32, true},
                                    {{0}, 8, false},
                                    {{127, 0, 0, 1}, 32, true},
                                    {{127}, 8, false},
                                    {{224, 0, 0}, 23, true},
                                    {{224}, 4, false},
                                    {{255, 255, 255, 255}, 32, true},
                                    {{169, 254}, 16, false},
                                    {{10}, 8, false},
                                    {{172, 16}, 12, false},
                                    {{192, 168}, 16, false},
                                    {{240}, 4, false}};  // class E
  map(kOfIpv4, address, kept);
}

void AddressMap::ipv6(std::span<uint8_t> address) {
  static constexpr Prefix kept[] = {{{0xFE, 0x80}, 64, false},  // link-local
                                    {{0xFC}, 7, false},         // unique local
                                    {{0xFF}, 8, true}};         // multicast, of all
  constexpr size_t kLast = 12;
  if (starts(address, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})) {
    const bool loopback = starts(address.subspan(kLast), {0, 0, 0, 1});
    loopback ? void() : ipv4(address.subspan(kLast));  // RFC 4291 §2.5.5.1
  } else if (starts(address, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF})) {
    ipv4(address.subspan(kLast));
  } else if (starts(address, {0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF})) {  // RFC 4291 §2.7.1
    low_bits(address.subspan(13));
  } else if (holds_prefix(address)) {
    prefix_in_group(address);
  } else if (address[0] == 0xFF && !known_group(address)) {
    const bool reserved = (address[1] & 0x80) != 0;  // the flag that no address has: damaged
    flip(kOfIpv6, address, reserved ? 8 : 16);
  } else {
    map(kOfIpv6, address, kept);
  }
}

// RFC 3306 §4: a multicast address with a network's prefix in it; RFC 3956 §3 adds a host's last bits. The
// group ID that follows stays where it is of one byte, as in known_group.
void AddressMap::prefix_in_group(std::span<uint8_t> address) {
  std::array<uint8_t, 16> network{};
  std::copy_n(address.begin() + 4, 8, network.begin());
  ipv6(network);
  std::copy_n(network.begin(), 8, address.begin() + 4);
  address[2] = 0;
  if (!std::all_of(address.begin() + 12, address.end() - 1, [](uint8_t octet) { return octet == 0; })) {
    flip(kOfIpv6, address, size_t{12} * 8);
  }
}

void AddressMap::mac(std::span<uint8_t> address) {
  static constexpr Prefix kept[] = {{{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 48, true},
                                    {{0x01, 0x80, 0xC2}, 44, true},  // IEEE 802.1Q table 8-1
                                    {{0x01, 0x00, 0x5E}, 39, true},  // of 224.0.0.0/23
                                    {{0x01, 0x00, 0x5E}, 25, false},
                                    {{0x33, 0x33}, 40, true},  // of a known group of IPv6
                                    {{0x33, 0x33}, 16, false}};
  if (starts(address, {0x33, 0x33, 0xFF})) {  // RFC 2464 §7, of a solicited-node address
    low_bits(address.subspan(3));
  } else if (starts(address,
                    {0x03, 0xBF})) {  // of a cluster's IPv4 address, and the next of its last two octets
    ipv4(address.subspan(2));
  } else if (starts(address, {0x01, 0x00, 0x5E, 0x7F})) {
    disguise(key_, Bytes(address).subspan(4, 2), address.subspan(4, 2));
  } else {
    map(kOfMac, address, kept);
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
  permute(kind, address, kept);
  if (known_.size() < kMost) {
    Octets to{kind};
    std::copy(address.begin(), address.end(), to.begin() + 1);
    mapped_ += from != to ? 1 : 0;
    known_.emplace(from, to);
  }
}

namespace {

auto prefix_of(Bytes address, const auto& kept) {
  return std::find_if(kept.begin(), kept.end(),
                      [&](const auto& prefix) { return agree(address, prefix.octets, prefix.length); });
}

}  // namespace

// A permutation of the addresses that begin with the same one of these prefixes, or with none: an image that
// does not is mapped again until it does.
void AddressMap::permute(uint8_t kind, std::span<uint8_t> address, std::span<const Prefix> kept) const {
  const auto own = prefix_of(address, kept);
  if (own != kept.end() && own->whole) {
    return;
  }
  do {
    flip(kind, address, own == kept.end() ? 0 : own->length);
  } while (key_.images != Key::Images::constant && prefix_of(address, kept) != own);
}

// Each bit from `begin` on is turned over, or not, by a function of those before it: so this is a permutation
// that keeps prefixes.
void AddressMap::flip(uint8_t kind, std::span<uint8_t> address, size_t begin) const {
  if (key_.images == Key::Images::constant) {
    for (size_t at = begin; at < address.size() * 8; ++at) {
      address[at / 8] &= static_cast<uint8_t>(~(0x80 >> at % 8));
    }
    return;
  }
  const std::array<uint8_t, 16> from = [&] {
    std::array<uint8_t, 16> copy{};
    std::copy(address.begin(), address.end(), copy.begin());
    return copy;
  }();
  std::array<uint8_t, 19> before{kind};  // kind, how many bits, and these
  for (size_t at = 0; at < address.size() * 8; ++at) {
    const bool stays =
        at < begin || (kind == kOfMac && (at == 6 || at == 7));  // group and local bit, IEEE 802 §8.2
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
