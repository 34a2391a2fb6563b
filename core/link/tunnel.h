// Tunnels: what a switch or a router puts around a frame or a packet. Each
// function takes one header off and says what is inside as an EtherPayload:
// of type ether_type::kBridged, a whole Ethernet frame. `way` is then the
// tunnel's name for itself (key, network, session, labels).
//
// The Decoder calls them, each for one level; how deep it goes is its affair.
#pragma once

#include "link/ethernet.h"
#include "link/stretch.h"

namespace steertag::link {

// GRE, and ERSPAN of all three types in it.
Progress read_gre(Stretch from_gre, EtherPayload& inside);
Progress read_vxlan(Stretch from_vxlan, EtherPayload& inside);
Progress read_geneve(Stretch from_geneve, EtherPayload& inside);

// A label stack and a control word, if there is one. Nothing on the wire says what
// a label stands for: an IP packet is known by its looks, and so is an Ethernet frame.
Progress read_mpls(Stretch from_label, EtherPayload& inside);

}  // namespace steertag::link
