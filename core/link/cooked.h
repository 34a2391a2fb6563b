// Captures without a link header of their own: Linux "cooked" captures, whose
// pseudo header still names an ether type, and the BSD loopback, whose four
// bytes name an address family.
#pragma once

#include "link/ethernet.h"
#include "link/stretch.h"

namespace steertag::link {

Progress read_cooked_v1(Stretch frame, EtherPayload& into);  // LINKTYPE_LINUX_SLL (113)
Progress read_cooked_v2(Stretch frame, EtherPayload& into);  // LINKTYPE_LINUX_SLL2 (276)

// LINKTYPE_NULL (0) and LINKTYPE_LOOP (108). The family is in the byte order of
// whichever machine captured; both orders are understood.
Progress read_loopback(Stretch frame, EtherPayload& into);

}  // namespace steertag::link
