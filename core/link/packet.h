// Packet: what one captured frame carries once its link, network and transport headers
// and its tunnels are taken off: an InfiniBand transport packet (RoCEv2, RoCEv1,
// native), a TCP segment, an ICMP error that quotes one of these, a pause frame, or
// nothing that concerns us.
//
// Lengths are the wire's (IP, UDP, GRH and LRH length fields), never the
// capture's: `payload` may be shorter than `payload_length` where a snaplen cut it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/address.h"
#include "base/bytes.h"
#include "link/station.h"

namespace steertag::link {

enum class Carrier : uint8_t { none, roce1, roce2, infiniband, tcp, pause, icmp };

struct TcpFields {
  uint16_t source_port = 0;
  uint16_t destination_port = 0;
  uint32_t sequence = 0;
  uint32_t acknowledgment = 0;
  bool syn = false, ack = false, fin = false, rst = false;
  uint16_t window = 0, checksum = 0;
  Bytes options;
  std::optional<uint32_t>
      digest;  // of the data as captured, where somebody had time for it: segment_copies.h
};

// What the innermost IP header (or GRH) says besides addresses and lengths: what a
// router may change, and what tells one transmission from another.
struct Routed {
  uint8_t hops = 0;                                            // TTL, hop limit
  uint8_t traffic_class = 0;                                   // its two low bits are ECN
  uint16_t id = 0;                                             // IPv4 identification; 0 where there is none
  bool congested() const { return (traffic_class & 3) == 3; }  // RFC 3168 §5: CE
};

// A pause frame: who asked the other end of a link to stop for a while. IEEE 802.1Qbb;
// or 802.3 annex 31B, which is about all classes.
struct Pause {
  Mac from{};
  uint8_t classes = 0;               // that the frame is about, as bits
  std::array<uint16_t, 8> quanta{};  // how long, for each class, in units of 512 bit times; 0: go on
  bool stops() const { return quanta != decltype(quanta){}; }
};

struct Packet {
  static constexpr uint8_t kNoPriority = 8;  // without a VLAN tag

  Carrier carrier = Carrier::none;
  // Packets with the same number, other than 0, have the same carrier, addresses, way and hops, and of TCP
  // the same ports: prediction.h.
  uint64_t flow = 0;
  base::Address source, destination;  // icmp: those of the packet that it quotes

  // roce*, infiniband: from the BTH through the ICRC (a VCRC is left out).
  // tcp: the segment's data. icmp: nothing (icmp.h).
  Bytes payload;
  uint32_t payload_length = 0;

  TcpFields tcp;                 // carrier tcp only
  uint16_t udp_source_port = 0;  // roce2 only
  Bytes network;                 // from the innermost IP header, GRH or LRH on: what an ICRC covers
  Routed routed;
  // Where it was seen: a hash of the MAC addresses or the interface, the VLANs and the tunnels
  // around it; of nothing that changes from one packet to the next.
  uint32_t way = 0;
  Station station;                 // of the Ethernet frame that it is in, inside all tunnels
  uint8_t priority = kNoPriority;  // of the outermost VLAN tag (IEEE 802.1Q: PCP)
  Pause pause;                     // carrier pause only
};

}  // namespace steertag::link
