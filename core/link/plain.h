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

// Fills `into` anew. False, and `into` is whatever it is, where the frame is to be read layer by layer.
// `roce_ports`: UDP destination ports of RoCEv2.
bool read_plain(const Frame& frame, const std::vector<uint16_t>& roce_ports, Packet& into);

}  // namespace steertag::link
