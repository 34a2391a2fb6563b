// The fixed parts of the headers of tunnels: GRE, ERSPAN, VXLAN, GENEVE, MPLS.
// Each is spelled once, as in headers.h: tunnel.cc reads them, and tests write
// them.
#pragma once

#include <cstdint>

#include "link/headers.h"

namespace steertag::link {

// RFC 2784 §2.1, RFC 2890 §2. What the flags announce follows, in this order:
// checksum (4 bytes with what was offset), key (4), sequence number (4).
struct GreHeader {
  static constexpr uint32_t size = 4;  // bytes
  static constexpr uint16_t kChecksum = 0x8000, kRouting = 0x4000, kKey = 0x2000, kSequence = 0x1000;

  uint16_t flags_and_version = 0;
  uint16_t protocol = ether_type::kIpv4;

  uint8_t version() const { return flags_and_version & 7; }
  bool has(uint16_t flag) const { return (flags_and_version & flag) != 0; }

  static void layout(auto& w, auto& s) {
    w.hex("flags_and_version", s.flags_and_version);
    w.hex("protocol", s.protocol);
  }
};

// ERSPAN type II, draft-foschiano-erspan §4.2. Type I has no header at all.
struct Erspan2 {
  static constexpr uint32_t size = 8;  // bytes
  static constexpr uint8_t kVersion = 1;

  uint16_t version_and_vlan = kVersion << 12;
  uint16_t session = 0;  // class 3, encapsulation 2, truncated 1, session id 10
  uint32_t index = 0;

  uint8_t version() const { return static_cast<uint8_t>(version_and_vlan >> 12); }

  static void layout(auto& w, auto& s) {
    w.hex("version_and_vlan", s.version_and_vlan);
    w.hex("session", s.session);
    w.hex("index", s.index);
  }
};

// ERSPAN type III, §4.3 of the same. A platform header of eight bytes may follow.
struct Erspan3 {
  static constexpr uint32_t size = 12;  // bytes
  static constexpr uint8_t kVersion = 2;
  static constexpr uint32_t kPlatformSize = 8;  // bytes
  static constexpr uint8_t kEthernet = 0, kIp = 2;

  uint16_t version_and_vlan = kVersion << 12;
  uint16_t session = 0;  // as in type II
  uint32_t timestamp = 0;
  uint16_t security_group = 0;
  uint16_t flags = 0x8000;  // P 1, frame type 5, hardware 6, direction 1, granularity 2, O 1

  uint8_t version() const { return static_cast<uint8_t>(version_and_vlan >> 12); }
  uint8_t frame_type() const { return flags >> 10 & 0x1F; }
  bool platform() const { return (flags & 1) != 0; }

  static void layout(auto& w, auto& s) {
    w.hex("version_and_vlan", s.version_and_vlan);
    w.hex("session", s.session);
    w("timestamp", s.timestamp);
    w("security_group", s.security_group);
    w.hex("flags", s.flags);
  }
};

// RFC 7348 §5. With the P flag the last reserved byte in front names what follows
// (the generic protocol extension, draft-ietf-nvo3-vxlan-gpe §3).
struct VxlanHeader {
  static constexpr uint32_t size = 8;  // bytes
  static constexpr uint8_t kNetwork = 0x08, kProtocol = 0x04;

  uint8_t flags = kNetwork;
  uint32_t reserved = 0;  // 24 bits
  uint32_t network = 0;   // 24 bits
  uint8_t reserved2 = 0;

  static void layout(auto& w, auto& s) {
    w.hex("flags", s.flags);
    w.u24("reserved", s.reserved);
    w.u24("network", s.network);
    w.hex("reserved2", s.reserved2);
  }
};

// RFC 8926 §3.4, without options.
struct GeneveHeader {
  static constexpr uint32_t size = 8;  // bytes

  uint8_t version_and_length = 0;  // version 2, length of the options 6, in words
  uint8_t flags = 0;               // O 0x80: a control packet; C 0x40: critical options
  uint16_t protocol = ether_type::kBridged;
  uint32_t network = 0;  // 24 bits
  uint8_t reserved = 0;

  uint8_t version() const { return version_and_length >> 6; }
  uint32_t options_length() const { return (version_and_length & 0x3Fu) * 4; }  // bytes
  bool control() const { return (flags & 0x80) != 0; }

  static void layout(auto& w, auto& s) {
    w.hex("version_and_length", s.version_and_length);
    w.hex("flags", s.flags);
    w.hex("protocol", s.protocol);
    w.u24("network", s.network);
    w.hex("reserved", s.reserved);
  }
};

// One entry of a label stack, RFC 3032 §2.1.
struct MplsLabel {
  static constexpr uint32_t size = 4;              // bytes
  static constexpr uint32_t kIpv4 = 0, kIpv6 = 2;  // labels that say what follows them

  uint32_t entry = 0x140;  // label 20, class 3, bottom of the stack 1, TTL 8

  uint32_t label() const { return entry >> 12; }
  bool bottom() const { return (entry & 0x100) != 0; }

  static void layout(auto& w, auto& s) { w.hex("entry", s.entry); }
};

// The control word that may come between a label stack and an Ethernet frame, RFC 4448 §4.6.
constexpr uint32_t kControlWordSize = 4;  // bytes

}  // namespace steertag::link
