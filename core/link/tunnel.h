// Tunnels: what a switch or a router puts around a frame or a packet. Each
// function takes one header off and yields what is inside as an EtherPayload; its
// type is ether_type::kBridged for a whole Ethernet frame, and its `way` a hash of
// what identifies the tunnel (key, network, session, labels).
//
// The Decoder calls them, each for one level, and decides how deep to go.
#pragma once

#include "link/ethernet.h"
#include "link/stretch.h"

namespace steertag::link {

// GRE, and ERSPAN of all three types in it.
Progress read_gre(Stretch from_gre, EtherPayload& inside);
Progress read_vxlan(Stretch from_vxlan, EtherPayload& inside);
Progress read_geneve(Stretch from_geneve, EtherPayload& inside);

// A label stack, and a control word if there is one. Nothing on the wire says what a
// label stands for: whether an IP packet or an Ethernet frame follows is seen by its bytes.
Progress read_mpls(Stretch from_label, EtherPayload& inside);
// Of one stack: more than any network stacks; a longer chain is noise.
inline constexpr int kMaxLabels = 16;

}  // namespace steertag::link
