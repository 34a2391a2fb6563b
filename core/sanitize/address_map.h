// AddressMap: other addresses for those of a capture, made with a key. Two that have the first n bits in
// common have these in common afterwards, and no more (as Crypto-PAn does, here with another function): who
// shares a network still does. Only where n is less than the length of a prefix below it may be otherwise.
//
// What an address is for stays: unspecified, loopback, multicast and broadcast addresses are their own image,
// and private, link-local and unique local ones stay such. No other address keeps any bit that no key
// changes. Of a multicast address that has bits of a host or a network in it, these get others; so do those
// of an IPv4 address inside of an IPv6 or a MAC address.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sanitize/key.h"

namespace steertag::sanitize {

constexpr size_t kMac = 6, kIpv6 = 16;  // bytes of an address

class AddressMap {
 public:
  explicit AddressMap(const Key& key);

  // Precondition: 4, 16, 6 and 2 bytes. A GID is mapped as an IPv6 address, and an IPv4-mapped one as the
  // IPv4 address in it.
  void ipv4(std::span<uint8_t> address);
  void ipv6(std::span<uint8_t> address);
  void mac(std::span<uint8_t> address);
  void lid(std::span<uint8_t> address);

  uint64_t mapped() const { return mapped_; }  // different ones, as far as they are remembered
  // Images that are remembered; of others they are made again.
  static constexpr size_t kMost = 65536;

 private:
  using Octets = std::array<uint8_t, 17>;  // its kind, then the address
  struct Prefix;
  void map(uint8_t kind, std::span<uint8_t> address, std::span<const Prefix> kept);
  void permute(uint8_t kind, std::span<uint8_t> address, std::span<const Prefix> kept) const;
  void flip(uint8_t kind, std::span<uint8_t> address, size_t begin) const;
  void prefix_in_group(std::span<uint8_t> address);
  void low_bits(std::span<uint8_t> three) const;

  Key key_;
  absl::flat_hash_map<Octets, Octets> known_;
  uint64_t mapped_ = 0;
};

}  // namespace steertag::sanitize
