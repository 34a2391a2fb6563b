// Ethernet frames and what replaces their header in captures of Linux' "any"
// device: all lead to an ether type and what it stands in front of.
// Called by the Decoder, once a frame.
#pragma once

#include <cstdint>

#include "link/stretch.h"

namespace steertag::link {

struct EtherPayload {
  uint16_t type = 0;  // EtherType; VLAN tags are already behind us
  Stretch rest;       // what follows; may end in link padding or a frame check sequence
};

// LINKTYPE_ETHERNET (1).
Verdict read_ethernet(Stretch frame, EtherPayload& into);

// Takes off a stack of VLAN tags: while `payload.type` is that of a VLAN, goes on
// to what the tag announces.
Verdict skip_vlan_tags(EtherPayload& payload);

}  // namespace steertag::link
