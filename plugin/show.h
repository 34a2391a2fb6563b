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
struct LossNote;
struct RepeatNote;
struct Notebook;
struct RpcTimes;
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

// Parts of it.
// `times`: of its RPC; null where they are not known.
void add_details(proto_tree* tree, tvbuff_t* tvb, packet_info* pinfo, const MessageNote& message,
                 const RpcTimes* times);
void add_times(proto_tree* tree, tvbuff_t* tvb, packet_info* pinfo, const RpcTimes& times);
// In the frame in which they became known, where that is neither the Call's nor the Reply's.
void add_late_times(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const RpcTimes& times);
// In a frame that carried a piece of a message which a later one completed.
void add_piece(proto_tree* root, tvbuff_t* tvb, const MessageNote& message);
void add_placement(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const PlacementNote& placement);
void add_finding(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const FindingNote& finding);
// In the frame that was lost, in the one that was sent again, and in that of its first copy.
void add_lost(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const LossNote& lost);
void add_repeat(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const RepeatNote& repeat);
void add_copied(proto_tree* root, tvbuff_t* tvb, const RepeatNote& repeat);
// Says at `item` of a Call that there is no Reply, if so.
void note_unanswered(packet_info* pinfo, proto_item* item, const MessageNote& message, const RpcTimes& times);
// In the frame in which the analysis came to an early end.
void add_ending(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const char* text);

// Where a message's bytes are: in `tvb` from `offset` on, `captured` of them.
struct Place {
  tvbuff_t* tvb;
  int offset;
  uint32_t captured;
};

// Adds the header to `tree`.
void add_header(proto_tree* tree, packet_info* pinfo, const Place& place, const MessageNote& message);

// Puts "[MEM-09 CRD-02?] " in front of what the column says. The question mark: possibly.
void mark_info(packet_info* pinfo, const Notebook& book);

// Puts " [XID 0x1d6009c2 NFSv3 READ]" behind what the column says of an RDMA Read, a Write or an
// acknowledgment.
void name_owner(packet_info* pinfo, const Notebook& book);

void settle_colours(bool wanted);

void register_counting();       // counting.cc
void register_latency_table();  // latency_table.cc
void end_latency_table();       // the Notebook is about to go
void register_finding_list();   // finding_list.cc
void register_conversations();  // conversations.cc
void register_summary();        // summary.cc

}  // namespace steertag::plugin
