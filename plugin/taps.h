// Taps: statistics of a whole capture. -z rpcrdma,tree counts messages, chunks
// and bytes; -z rpcrdma,srt shows how long each operation took; -z
// rpcrdma,findings lists what was found. The first two, and the findings by rule,
// are in the Statistics menu, too.
// Each is in a file of its own; all listen to the tap "rpcrdma" (show.h).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace steertag::plugin {

void register_counting();       // counting.cc
void register_latency_table();  // latency_table.cc
void end_latency_table();       // the Notebook is about to go
void register_finding_list();   // finding_list.cc

}  // namespace steertag::plugin
