// read_plain(): reads in one go the frames that nearly all of a capture consists of: Ethernet
// with at most one VLAN tag, IPv4 without options or IPv6 without extension headers, neither cut
// nor fragmented, with RoCEv2 or TCP in it. All other frames are left to the decoders of the
// layers; the Packet is the same as theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "frame.h"
#include "link/packet.h"

namespace steertag::link {

constexpr uint32_t kLinkEthernet = 1;  // LINKTYPE_

// Fills `into` anew. False where the frame has to be read layer by layer; `into` is then unspecified.
// `roce_ports`: UDP destination ports of RoCEv2.
bool read_plain(const Frame& frame, const std::vector<uint16_t>& roce_ports, Packet& into);

// The lengths in an IP header: its own, and that of the datagram, of which not all may be captured.
struct PlainDatagram {
  uint8_t protocol = 0;
  uint32_t header = 0, total = 0;  // bytes
};

// Reads the rest of a frame that is known to be plain up to the ports: fills in what the UDP or TCP header
// says, and the payload. `into.network` holds the datagram, as far as it was captured. Returns as
// read_plain().
bool read_plain_transport(const PlainDatagram& datagram, Packet& into);

}  // namespace steertag::link
