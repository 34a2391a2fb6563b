// ICMP in a sanitized capture, of IPv4 (RFC 792) and IPv6 (RFC 4443, RFC 4861). Its messages quote packets of
// others and name routers and neighbours: quotes go, addresses are mapped, types and codes stay. Checksums
// are the caller's.
#pragma once

#include <cstdint>

#include "link/ip.h"
#include "sanitize/address_map.h"
#include "sanitize/canvas.h"

namespace steertag::sanitize {

inline constexpr uint8_t kIcmp = 1, kIcmpV6 = 58;  // protocols

// Errors enclose what they are about: that goes. Of an echo and of what could not be delivered, or was too
// large, the four bytes behind the checksum stay, where that is right: the type is certain then. Of neighbour
// discovery (RFC 4861 §4) the target stays, mapped, and what the options are; of a redirect (RFC 792) the
// router, mapped.
void write_icmp(const Canvas& canvas, AddressMap& addresses, const link::IpHeader& ip);

}  // namespace steertag::sanitize
