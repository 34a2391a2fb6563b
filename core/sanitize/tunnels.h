// Tunnels in a sanitized capture. Their headers may be damaged: then what is read as an inner header is
// content. These functions say whether an inner header can be relied on, and what a tunnel's own header tells
// of the network that it crosses.
#pragma once

#include "base/bytes.h"
#include "link/ethernet.h"
#include "sanitize/canvas.h"
#include "sanitize/key.h"

namespace steertag::sanitize {

constexpr uint16_t kArp = 0x0806;  // EtherType

// Whether what a tunnel encloses begins as IP, or Ethernet, does: else its header may be longer than it is. A
// damaged header of IPv4 is none: where it ends may be content.
bool begins_known(const link::EtherPayload& inside);
// Whether a datagram of IP has room for the length that it says. Else its first bytes are something else.
bool fits(const link::Stretch& datagram);
// What stays of the header of a UDP datagram. Behind a wrong protocol its length may be an address, and a
// port the checksum of something else: of a false header only a `known` destination port stays, of a tunnel
// or of RoCE.
Bytes shown_of_udp(Bytes datagram, link::Progress read, bool known);
// Whether IP behind labels ends where the frame does, but for its check sequence and, of IPv4, what fills up
// the shortest one. Else it is an Ethernet frame whose first address begins as IP does.
bool ends_with_frame(const link::EtherPayload& inside);
// Of a tunnel's header what no reader needs becomes zeros: reserved bits and bytes, groups of users, options.
// Of ERSPAN type III the switch's clock, and its platform's own header, too.
void clear_gre(const Canvas& canvas, Bytes gre);  // one that could be read
void clear_vxlan(const Canvas& canvas, Bytes vxlan);
void clear_geneve(const Canvas& canvas, Bytes geneve);
// A row of MPLS labels that could be read, which says only where it ends: each becomes another one, with the
// same bit for the end. A control word behind them becomes zeros.
void write_labels(const Canvas& canvas, const Key& key, Bytes from_label);

}  // namespace steertag::sanitize
