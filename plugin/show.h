// Show: what the Notebook has on one frame, as protocol trees, expert infos,
// columns and taps, and hands on the RPC messages in it. Called for every frame
// whenever Wireshark dissects it, after all other dissectors.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

#include <epan/tap.h>

namespace steertag::plugin {

// What a tap receives, one at a time: a message, chunk data or a finding; the others are null.
struct MessageNote;
struct PlacementNote;
struct FindingNote;
struct Tapped {
  const MessageNote* message = nullptr;
  const PlacementNote* placement = nullptr;
  const FindingNote* finding = nullptr;
};
extern int tap;  // "rpcrdma"

// Shows what is known of the frame; `first`: for the first time, so that notes on
// earlier frames that became known here are shown, too. `frame`: all of its bytes.
// Returns whether anything was shown.
bool show(tvbuff_t* frame, packet_info* pinfo, proto_tree* tree, bool first);

}  // namespace steertag::plugin
