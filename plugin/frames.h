// Frames: turns one of Wireshark's frames into one of the engine's, and feeds it.
// Link types are those of capture files: Wireshark has numbers of its own, and
// strips some headers that the engine needs.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

namespace steertag::plugin {

// Feeds the frame to the session, once. `tvb`: all of its captured bytes.
void feed(tvbuff_t* tvb, packet_info* pinfo);

}  // namespace steertag::plugin
