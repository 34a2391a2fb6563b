// The checksum of IP, TCP, UDP and ICMP (RFC 1071): the one's complement of a sum over headers and content. A
// receiver sums all that is covered, the checksum included, and 0xFFFF is right. Senders may leave it to
// their adapter; then a capture shows the sum of the pseudo-header in its place.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "link/headers.h"
#include "link/ip.h"

namespace steertag::link {

// The sum of the 16-bit words of `bytes`, the last one padded with a zero, folded to 16 bits; begins with
// `sum`. 0xFFFF over everything that a right checksum covers, itself included.
uint32_t ones_sum(Bytes bytes, uint32_t sum = 0);

// The pseudo-header that TCP and UDP add (RFC 9293 §3.1, RFC 8200 §8.1): the addresses at the front of
// `datagram`, and protocol and length of `ip`, which was read from such a datagram.
uint32_t pseudo_sum(const IpHeader& ip, Bytes datagram);

// That sum without the length of the segment, which an adapter that is to cut it up adds itself; not 0.
constexpr uint32_t without_length(uint32_t pseudo, size_t length) {
  constexpr uint32_t kModulus = 0xFFFF;  // of a one's complement sum
  const uint32_t rest = (pseudo % kModulus + kModulus - static_cast<uint32_t>(length % kModulus)) % kModulus;
  return rest == 0 ? kModulus : rest;
}

// Appends an IPv4 header with its checksum.
void write_checked(std::vector<uint8_t>& out, Ipv4Header header);

}  // namespace steertag::link
