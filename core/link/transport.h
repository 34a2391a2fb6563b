// Readers of UDP, TCP and InfiniBand headers, the last step towards a link::Packet: each
// function fills in what the packet carries. Called by the Decoder; a function that
// does not return Progress::ok may leave the packet half filled.
#pragma once

#include "link/headers.h"
#include "link/packet.h"
#include "link/stretch.h"

namespace steertag::link {

// A UDP header with any port: the payload is as long as UDP says. Does not set the
// carrier, which depends on `destination_port`.
Progress read_udp(const Stretch& datagram, Packet& into, uint16_t& destination_port);

// What a TCP header says, without its options.
TcpFields fields(const TcpHeader& header);

// A TCP header; carrier tcp. The segment is as long as IP says.
Progress read_tcp(const Stretch& segment, Packet& into);

// A GRH and the InfiniBand transport packet behind it; carrier roce1.
Progress read_roce1(const Stretch& from_grh, Packet& into);

// LRH, perhaps GRH, and the transport packet; carrier infiniband. A VCRC behind
// it is left out.
Progress read_infiniband(const Stretch& from_lrh, Packet& into);

}  // namespace steertag::link
