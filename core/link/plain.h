// read_plain(): the frames that nearly all of a capture consists of, in one go: Ethernet
// with at most one VLAN tag, IPv4 without options or IPv6 without extension headers,
// neither cut nor in fragments, and RoCEv2 or TCP in it. Whatever is not quite so is left
// to the decoders of each layer; the Packet is the one that they would make.
#pragma once

#include <cstdint>
#include <vector>

#include "frame.h"
#include "link/packet.h"

namespace steertag::link {

constexpr uint32_t kLinkEthernet = 1;  // LINKTYPE_

// Fills `into` anew. False, and `into` is whatever it is, where the frame is to be read layer by layer.
// `roce_ports`: UDP destination ports of RoCEv2.
bool read_plain(const Frame& frame, const std::vector<uint16_t>& roce_ports, Packet& into);

// What an IP header says of itself: where it ends, and the datagram, which may go on beyond what was
// captured.
struct PlainDatagram {
  uint8_t protocol = 0;
  uint32_t header = 0, total = 0;  // bytes
};

// The rest of a frame of which everything up to the ports is known to be plain: fills in what the UDP or TCP
// header says, and what it carries. `into.network` is the datagram, as far as it was captured; likewise.
bool read_plain_transport(const PlainDatagram& datagram, Packet& into);

}  // namespace steertag::link
