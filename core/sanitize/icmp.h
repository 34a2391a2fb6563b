// ICMP in a sanitized capture, of IPv4 (RFC 792) and IPv6 (RFC 4443, RFC 4861). Its messages quote packets of
// others and name routers and neighbours: addresses are mapped, types and codes stay, and of a quote what
// tells whose packet it was. Checksums are the caller's.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "link/decoder.h"
#include "link/ip.h"
#include "sanitize/address_map.h"
#include "sanitize/canvas.h"
#include "sanitize/queue_pairs.h"

namespace steertag::sanitize {

// Of an echo and of what could not be delivered, or was too large, the four bytes behind the checksum stay,
// where that is right: the type is certain then. Of neighbour discovery (RFC 4861 §4) the target stays,
// mapped, and what the options are; of a redirect (RFC 792) the router, mapped.
void write_icmp(const Canvas& canvas, AddressMap& addresses, const link::IpHeader& ip);

// The MTU of an error stays; of the packet that it quotes ports, sequence number, and what is a BTH. Returns
// the packet, whose IP header is the caller's; empty where there is none, or the checksum is not known to be
// right.
Bytes write_quote(const Canvas& canvas, const link::Decoder::Options& ports, const QueuePairs& queue_pairs,
                  const link::IpHeader& ip);

}  // namespace steertag::sanitize
