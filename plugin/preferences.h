// Preferences of the protocol rpcrdma. They are read when a file is opened;
// Wireshark reopens it when one of them is changed.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

#include "session.h"

namespace steertag::plugin {

void register_preferences();

// For the engine.
Settings settings();
// Whether findings that are only possible are shown as prominently as others.
bool shows_possible_in_full();
// Whether colouring rules for findings are put into Wireshark's list.
bool colours_findings();
// Whether this plugin dissects version one, or leaves it to Wireshark's own dissector.
bool takes_version_one();
inline bool takes(uint32_t version) {
  return version != 1 || takes_version_one();
}
// Whether the UDP ports of RoCEv2 go to InfiniBand before any other dissector.
bool guards_ports();

}  // namespace steertag::plugin
