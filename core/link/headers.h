// The fixed parts of link, network and transport headers, each spelled once:
// the same layout reads a captured header and writes one that a scenario emits.
// Bit fields stay as they are on the wire, with accessors.
#pragma once

#include <array>
#include <cstdint>

namespace steertag::link {

namespace ether_type {
constexpr uint16_t kIpv4 = 0x0800;
constexpr uint16_t kIpv6 = 0x86DD;
constexpr uint16_t kVlan = 0x8100;         // IEEE 802.1Q
constexpr uint16_t kServiceVlan = 0x88A8;  // IEEE 802.1ad
constexpr uint16_t kOldVlan = 0x9100;      // stacked tags before 802.1ad
constexpr uint16_t kRoce1 = 0x8915;
constexpr uint16_t kBridged = 0x6558;  // an Ethernet frame, in GRE and GENEVE
constexpr uint16_t kMpls = 0x8847;     // RFC 5332
constexpr uint16_t kMplsUpstream = 0x8848;
constexpr uint16_t kMacControl = 0x8808;  // IEEE 802.3 annex 31A
constexpr uint16_t kErspan = 0x88BE;      // in GRE: types I and II
constexpr uint16_t kErspan3 = 0x22EB;     // in GRE: type III
}  // namespace ether_type

namespace ip_protocol {
constexpr uint8_t kHopByHop = 0;
constexpr uint8_t kIcmp = 1;
constexpr uint8_t kIpv4 = 4;  // in IP
constexpr uint8_t kTcp = 6;
constexpr uint8_t kUdp = 17;
constexpr uint8_t kIbTransport = 27;  // 0x1B, in a GRH: a BTH follows
constexpr uint8_t kIpv6 = 41;         // in IP
constexpr uint8_t kRouting = 43;
constexpr uint8_t kFragment = 44;
constexpr uint8_t kGre = 47;
constexpr uint8_t kAuthentication = 51;
constexpr uint8_t kIcmpV6 = 58;
constexpr uint8_t kNoNext = 59;
constexpr uint8_t kDestination = 60;
constexpr uint8_t kMobility = 135;
constexpr uint8_t kMpls = 137;  // RFC 4023
}  // namespace ip_protocol

struct EthernetHeader {
  static constexpr uint32_t size = 14;  // bytes

  std::array<uint8_t, 6> destination{};
  std::array<uint8_t, 6> source{};
  uint16_t type = ether_type::kIpv4;

  static void layout(auto& w, auto& s) {
    w.array("destination", s.destination);
    w.array("source", s.source);
    w.hex("type", s.type);
  }
};

// What follows a VLAN ether type.
struct VlanTag {
  static constexpr uint32_t size = 4;  // bytes

  uint16_t control = 0;  // priority 3, DEI 1, VLAN id 12
  uint16_t type = ether_type::kIpv4;

  static void layout(auto& w, auto& s) {
    w.hex("control", s.control);
    w.hex("type", s.type);
  }
};

namespace mac_control {
constexpr uint16_t kPause = 0x0001;          // IEEE 802.3 annex 31B
constexpr uint16_t kPriorityPause = 0x0101;  // IEEE 802.1Qbb, annex 31D of 802.3
}  // namespace mac_control

struct MacControlHeader {
  static constexpr uint32_t size = 4;  // bytes

  uint16_t opcode = 0;
  uint16_t first = 0;  // a pause: quanta; a priority pause: the classes that it speaks of

  static void layout(auto& w, auto& s) {
    w.hex("opcode", s.opcode);
    w.hex("first", s.first);
  }
};

// What follows in a priority pause.
struct ClassQuanta {
  static constexpr uint32_t size = 16;  // bytes

  std::array<uint16_t, 8> quanta{};

  static void layout(auto& w, auto& s) {
    for (auto& quanta : s.quanta) {
      w("quanta", quanta);
    }
  }
};

// RFC 791 §3.1, without options.
struct Ipv4Header {
  static constexpr uint32_t size = 20;  // bytes

  uint8_t version_and_length = 0x45;
  uint8_t type_of_service = 0;
  uint16_t total_length = 0;  // bytes, header included
  uint16_t id = 0;
  uint16_t fragment = 0x4000;  // DF 0x4000, MF 0x2000, offset in units of 8 bytes
  uint8_t time_to_live = 64;
  uint8_t protocol = ip_protocol::kUdp;
  uint16_t checksum = 0;
  std::array<uint8_t, 4> source{};
  std::array<uint8_t, 4> destination{};

  uint32_t header_length() const { return (version_and_length & 15u) * 4; }  // bytes, options included
  bool more_fragments() const { return (fragment & 0x2000) != 0; }
  uint32_t fragment_offset() const { return (fragment & 0x1FFFu) * 8; }  // bytes

  static void layout(auto& w, auto& s) {
    w.hex("version_and_length", s.version_and_length);
    w.hex("type_of_service", s.type_of_service);
    w("total_length", s.total_length);
    w("id", s.id);
    w.hex("fragment", s.fragment);
    w("time_to_live", s.time_to_live);
    w("protocol", s.protocol);
    w.hex("checksum", s.checksum);
    w.array("source", s.source);
    w.array("destination", s.destination);
  }
};

// RFC 8200 §3. A GRH has the same layout (IBTA vol. 1 §8.3).
struct Ipv6Header {
  static constexpr uint32_t size = 40;  // bytes

  uint32_t version_class_flow = 0x60000000;
  uint16_t payload_length = 0;  // bytes behind this header
  uint8_t next_header = ip_protocol::kUdp;
  uint8_t hop_limit = 64;
  std::array<uint8_t, 16> source{};
  std::array<uint8_t, 16> destination{};

  uint32_t version() const { return version_class_flow >> 28; }

  static void layout(auto& w, auto& s) {
    w.hex("version_class_flow", s.version_class_flow);
    w("payload_length", s.payload_length);
    w("next_header", s.next_header);
    w("hop_limit", s.hop_limit);
    w.array("source", s.source);
    w.array("destination", s.destination);
  }
};

using Grh = Ipv6Header;

// RFC 8200 §4.5.
struct FragmentHeader {
  static constexpr uint32_t size = 8;  // bytes

  uint8_t next_header = 0;
  uint8_t reserved = 0;
  uint16_t offset_and_more = 0;  // offset in units of 8 bytes in the high 13 bits, M 0x0001
  uint32_t id = 0;

  static void layout(auto& w, auto& s) {
    w("next_header", s.next_header);
    w("reserved", s.reserved);
    w.hex("offset_and_more", s.offset_and_more);
    w.hex("id", s.id);
  }
};

struct UdpHeader {
  static constexpr uint32_t size = 8;  // bytes

  uint16_t source_port = 0;
  uint16_t destination_port = 0;
  uint16_t length = 0;  // bytes, header included
  uint16_t checksum = 0;

  static void layout(auto& w, auto& s) {
    w("source_port", s.source_port);
    w("destination_port", s.destination_port);
    w("length", s.length);
    w.hex("checksum", s.checksum);
  }
};

// RFC 9293 §3.1, without options.
struct TcpHeader {
  static constexpr uint32_t size = 20;  // bytes

  uint16_t source_port = 0;
  uint16_t destination_port = 0;
  uint32_t sequence = 0;
  uint32_t acknowledgment = 0;
  uint8_t data_offset = 0x50;  // words in the high four bits
  uint8_t flags = 0;           // FIN 1, SYN 2, RST 4, PSH 8, ACK 16
  uint16_t window = 0;
  uint16_t checksum = 0;
  uint16_t urgent = 0;

  uint32_t header_length() const { return (data_offset >> 4) * 4u; }  // bytes, options included

  static void layout(auto& w, auto& s) {
    w("source_port", s.source_port);
    w("destination_port", s.destination_port);
    w("sequence", s.sequence);
    w("acknowledgment", s.acknowledgment);
    w.hex("data_offset", s.data_offset);
    w.hex("flags", s.flags);
    w("window", s.window);
    w.hex("checksum", s.checksum);
    w("urgent", s.urgent);
  }
};

// The local route header of native InfiniBand (IBTA vol. 1 §7.7).
struct Lrh {
  static constexpr uint32_t size = 8;  // bytes

  uint8_t lane_and_version = 0;
  uint8_t service_and_next = 0x02;  // service level 4, reserved 2, LNH 2
  uint16_t destination_lid = 0;
  uint16_t length_words = 0;  // 4-byte words from here through the ICRC, in the low 11 bits
  uint16_t source_lid = 0;

  uint8_t next_header() const { return service_and_next & 3; }            // 2 BTH, 3 GRH
  uint32_t packet_length() const { return (length_words & 0x7FFu) * 4; }  // bytes

  static void layout(auto& w, auto& s) {
    w.hex("lane_and_version", s.lane_and_version);
    w.hex("service_and_next", s.service_and_next);
    w("destination_lid", s.destination_lid);
    w("length_words", s.length_words);
    w("source_lid", s.source_lid);
  }
};

}  // namespace steertag::link
