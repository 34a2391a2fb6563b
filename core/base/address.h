// Address: one end of a fabric, as a key and as text. An IPv4 address is kept
// in its IPv4-mapped IPv6 form, so that RoCEv2, RoCEv1 (whose GIDs may be
// IPv4-mapped) and InfiniBand share one 17-byte key.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace steertag::base {

struct Address {
  enum class Kind : uint8_t { none, ipv4, ipv6, gid, lid };

  Kind kind = Kind::none;
  std::array<uint8_t, 16> octets{};

  static Address ipv4(Bytes four);     // precondition: 4 bytes
  static Address ipv6(Bytes sixteen);  // precondition: 16 bytes
  static Address gid(Bytes sixteen);   // precondition: 16 bytes
  static Address lid(uint16_t lid);

  // "10.9.0.1", "fd09::1" (RFC 5952), a GID as an IPv6 address (an
  // IPv4-mapped one as "::ffff:10.9.0.1"), "lid:7"; "" for none.
  std::string text() const;

  friend auto operator<=>(const Address&, const Address&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const Address& a) {
    return H::combine(H::combine_contiguous(std::move(h), a.octets.data(), a.octets.size()), a.kind);
  }
};

}  // namespace steertag::base
