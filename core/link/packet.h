// Packet: what one captured frame carries once its link, network and transport
// layers are taken off: an InfiniBand transport packet (RoCEv2, RoCEv1, native),
// a TCP segment, or nothing that concerns us.
//
// Lengths are the wire's (IP, UDP, GRH and LRH length fields), never the
// capture's: `payload` may be shorter than `payload_length` where a snaplen cut it.
#pragma once

#include <cstdint>

#include "base/address.h"
#include "base/bytes.h"

namespace steertag::link {

enum class Carrier : uint8_t { none, roce1, roce2, infiniband, tcp };

struct TcpFields {
  uint16_t source_port = 0;
  uint16_t destination_port = 0;
  uint32_t sequence = 0;
  uint32_t acknowledgment = 0;
  bool syn = false, ack = false, fin = false, rst = false;
};

struct Packet {
  Carrier carrier = Carrier::none;
  base::Address source, destination;

  // roce*, infiniband: from the BTH through the ICRC (a VCRC is left out).
  // tcp: the segment's data.
  Bytes payload;
  uint32_t payload_length = 0;

  TcpFields tcp;                 // carrier tcp only
  uint16_t udp_source_port = 0;  // roce2 only
  Bytes network;                 // from the IP header, GRH or LRH on: what an ICRC covers
};

}  // namespace steertag::link
