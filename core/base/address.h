// Address: one end of a fabric, as a key and as text. An IPv4 address is kept
// in its IPv4-mapped IPv6 form, so that RoCEv2, RoCEv1 (whose GIDs may be
// IPv4-mapped) and InfiniBand share one 17-byte key.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <string>

#include "base/bytes.h"
#include "base/fold.h"

namespace steertag::base {

struct Address {
  enum class Kind : uint8_t { none, ipv4, ipv6, gid, lid };

  Kind kind = Kind::none;
  std::array<uint8_t, 16> octets{};

  // IPv4: precondition: 4 bytes. The others: 16 bytes.
  static Address ipv4(Bytes four) {
    return {Kind::ipv4, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, four[0], four[1], four[2], four[3]}};
  }
  static Address ipv6(Bytes sixteen) { return of(Kind::ipv6, sixteen); }
  static Address gid(Bytes sixteen) { return of(Kind::gid, sixteen); }
  static Address lid(uint16_t lid);

  // "10.9.0.1", "fd09::1" (RFC 5952), a GID as an IPv6 address (an
  // IPv4-mapped one as "::ffff:10.9.0.1"), "lid:7"; "" for none.
  std::string text() const;

  // Compared and hashed for every packet, so as two words.
  friend bool operator==(const Address& x, const Address& y) {
    return x.kind == y.kind && word(x.octets) == word(y.octets) && word(x.octets, 8) == word(y.octets, 8);
  }
  friend auto operator<=>(const Address&, const Address&) = default;

  template <typename H>
  friend H AbslHashValue(H h, const Address& a) {
    return H::combine(std::move(h), word(a.octets), word(a.octets, 8), a.kind);
  }

 private:
  static Address of(Kind kind, Bytes sixteen) {
    Address address{kind, {}};
    std::copy_n(sixteen.begin(), 16, address.octets.begin());
    return address;
  }
};

}  // namespace steertag::base
