// Frames: a frame of Wireshark's as a frame of the engine's, and into it. Link
// types are those of capture files: Wireshark has numbers of its own, and takes
// some headers off that the engine wants to see.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

namespace steertag::plugin {

// Feeds the frame to the session, once. `tvb`: all of its captured bytes.
void feed(tvbuff_t* tvb, packet_info* pinfo);

}  // namespace steertag::plugin
