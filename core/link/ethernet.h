// Ethernet headers, and what replaces them in captures of Linux' "any" device: all
// of them lead to an EtherType and to what follows it (EtherPayload). Called by the
// Decoder, once for each frame.
#pragma once

#include <cstdint>
#include <optional>

#include "link/headers.h"
#include "link/packet.h"
#include "link/stretch.h"

namespace steertag::link {

struct EtherPayload {
  uint16_t type = 0;  // EtherType, after any VLAN tags
  Stretch rest;       // what follows; may end in link padding or a frame check sequence
  Mac source{};       // zeros where there is none
  uint32_t way = 0;   // hash of both MAC addresses and the VLANs, or of the interface; see Packet
  uint8_t priority = Packet::kNoPriority;  // of the outermost VLAN tag
  std::optional<uint16_t> vlan = {};       // of the innermost
};

// Mixes `value` into a hash of what is around a packet.
constexpr uint32_t mixed(uint32_t hash, uint64_t value) {
  const uint64_t product = (hash ^ value ^ 0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93;
  return static_cast<uint32_t>(product >> 32);
}

// EtherPayload::way of a frame, and behind one more VLAN tag.
inline uint32_t way_of(const EthernetHeader& header) {
  const auto number = [](const Mac& mac) {
    return uint64_t{wire::big_endian<uint32_t>(mac.data())} << 16 |
           wire::big_endian<uint16_t>(mac.data() + 4);
  };
  return mixed(mixed(0, number(header.source)), number(header.destination));
}
constexpr uint8_t priority_of(const VlanTag& tag) {
  return static_cast<uint8_t>(tag.control >> 13);
}
constexpr uint16_t vlan_of(const VlanTag& tag) {
  return tag.control & 0xFFF;
}
inline uint32_t way_of(uint32_t way, const VlanTag& tag) {
  return mixed(way, vlan_of(tag));
}

// LINKTYPE_ETHERNET (1).
Progress read_ethernet(Stretch frame, EtherPayload& into);

// Reads what follows the EtherType of MAC control: a pause frame; carrier pause.
Progress read_pause(const EtherPayload& payload, Packet& into);

// Takes off a stack of VLAN tags: while `payload.type` is that of a VLAN, replaces it by
// what the tag announces.
Progress skip_vlan_tags(EtherPayload& payload);

}  // namespace steertag::link
