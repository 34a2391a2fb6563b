// Listing: what `tshark -z rpcrdma,...` prints once, when the capture has been read. Its listener hears
// nothing: the Notebook remembers.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

#include <epan/stat_tap_ui.h>
#include <epan/tap.h>

namespace steertag::plugin {

// One for each option, for as long as Wireshark runs.
struct Listing {
  const char* option;  // "rpcrdma,findings"
  void (*print)(void*);
  stat_tap_ui ui = {};
  int listener = 0;  // its address stands for the listener
};

void register_listing(Listing& listing);
void print_rule();  // a line between listings

}  // namespace steertag::plugin
