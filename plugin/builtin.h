// Builtin: how the plugin and Wireshark's own dissector of RPC-over-RDMA share
// the traffic. With "Dissect version one" the built-in heuristics are disabled as
// long as a file is open, and what this plugin shows is hidden from other
// heuristics; without it they are left alone.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

namespace steertag::plugin {

void register_builtin();      // once
void settle_with_builtin();   // whenever a file is opened: users' settings are read only then
void give_back_to_builtin();  // whenever it is closed

}  // namespace steertag::plugin
