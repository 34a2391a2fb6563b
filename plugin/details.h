// Details: what the history of a connection adds to a frame: the generated
// fields of a message, of chunk data, and the findings. Every item made here is
// marked as generated: it is not in the bytes of the frame.
//
// Called by show.cc. May leave by longjmp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

namespace steertag::plugin {

struct MessageNote;
struct PlacementNote;
struct FindingNote;
struct RpcTimes;

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
// In the frame in which the analysis came to an early end.
void add_ending(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const char* text);

}  // namespace steertag::plugin
