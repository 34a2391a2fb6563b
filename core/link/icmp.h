// Errors of ICMP (RFC 792) and ICMPv6 (RFC 4443) that quote a packet: it could not be delivered, was too
// large, or was on its way for too long. The Decoder hands such a message on as a Packet with carrier icmp
// that has the addresses of the packet quoted, so that it goes where that would. icmp_error() reads it.
//
// A quote may end 8 bytes behind its IP header, and whoever sends it may invent it: who reads one holds it
// against the packets that were captured.
#pragma once

#include <cstdint>
#include <optional>

#include "base/address.h"
#include "base/bytes.h"
#include "link/ip.h"
#include "link/packet.h"

namespace steertag::link {

struct IcmpHeader {
  static constexpr uint32_t size = 8;  // bytes

  uint8_t type = 0;
  uint8_t code = 0;
  uint16_t checksum = 0;
  uint32_t rest = 0;  // as the type says

  static void layout(auto& w, auto& s) {
    w("type", s.type);
    w("code", s.code);
    w.hex("checksum", s.checksum);
    w.hex("rest", s.rest);
  }
};

// The types of errors, and what they have behind the checksum.
namespace icmp_type {
constexpr uint8_t kUnreachable = 3, kRedirect = 5, kTimeExceeded = 11, kParameterProblem = 12;
constexpr uint8_t kTooBigCode = 4;  // of kUnreachable; the MTU is in the two last bytes (RFC 1191 §4)
constexpr uint8_t kEchoReply = 0, kEcho = 8;
}  // namespace icmp_type
namespace icmp6_type {
constexpr uint8_t kUnreachable = 1, kTooBig = 2, kTimeExceeded = 3, kParameterProblem = 4;
constexpr uint8_t kNeighbourSolicitation = 135, kNeighbourAdvertisement = 136;
}  // namespace icmp6_type

struct IcmpError {
  // The packet that it quotes, as far as that goes.
  struct Quote {
    base::Address source, destination;
    uint8_t protocol = 0;
    uint16_t id = 0;  // IPv4 identification
    uint16_t source_port = 0, destination_port = 0;
    uint32_t sequence = 0;    // TCP
    uint16_t udp_length = 0;  // bytes, with the UDP header
    Bytes data;               // UDP: what is behind that
  };

  base::Address by;  // who sent the error
  bool version_six = false;
  uint8_t type = 0, code = 0;
  uint32_t mtu = 0;  // bytes, of what was too large; 0: it does not say
  Quote quote;
};

// Reads the content of `ip`, ICMP or ICMPv6. False where it is no error that quotes TCP or UDP, or where its
// checksum is wrong; that of a message which the snaplen cut is not known.
bool read_icmp(const IpHeader& ip, IcmpError& into);

// The same of a Packet. Nothing where it is of another carrier.
std::optional<IcmpError> icmp_error(const Packet& packet);

}  // namespace steertag::link
