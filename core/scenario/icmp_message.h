// The ICMP or ICMPv6 error that an icmp line sends: type and code by its kind, and as much of the packet that
// it is about as a host quotes (RFC 1812 §4.3.2.3, RFC 4443 §2.4), or as the line says. A pure function; the
// IP header in front of it is network.h's business.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "scenario/network.h"
#include "scenario/script.h"

namespace steertag::scenario {

// Bytes of a packet, from its IP header on, that may be quoted.
inline constexpr size_t kMostQuoted = 1280;

// `about`: a packet from its IP header on. `ends`: of the error.
std::vector<uint8_t> icmp_message(const IcmpLine& line, Bytes about, const NetworkEnds& ends, bool ipv6);

}  // namespace steertag::scenario
