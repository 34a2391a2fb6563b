// Tree: the transport header of one message as a protocol tree, by outline. The
// outline is made from the bytes each time; nothing of it is kept.
//
// Called by show.cc, with a tvb that holds the message's captured bytes from
// `offset` on. May leave by longjmp, like all of Wireshark: holds nothing then
// that has a destructor.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

namespace steertag::plugin {

struct MessageNote;

// Where a message's bytes are: in `tvb` from `offset` on, `captured` of them.
struct Place {
  tvbuff_t* tvb;
  int offset;
  uint32_t captured;
};

// Adds the header to `tree`.
void add_header(proto_tree* tree, packet_info* pinfo, const Place& place, const MessageNote& message);

}  // namespace steertag::plugin
