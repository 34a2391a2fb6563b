// Handover: RPC messages go to Wireshark's own RPC dissector, and from there to
// NFS. It ties Replies to Calls by addresses and ports, which a capture without
// the connection's setup does not provide; so the connection is presented to it in
// a way that is the same for both directions and for every frame.
// Called by show.cc after everything of this plugin has been shown. A fault that
// the other dissectors find is shown there, and goes no further.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "compat.h"

#include "show.h"

namespace steertag::plugin {

struct RpcNote;

void register_handover();
void begin_handover();  // of a frame

// The RPC message of `message`, if it is shown in this frame. `tree`: the message's own.
void hand_over(const Place& place, packet_info* pinfo, proto_tree* root, proto_tree* tree,
               const MessageNote& message);
// A Call that RDMA Reads have completed.
void hand_over(tvbuff_t* frame, packet_info* pinfo, proto_tree* root, const RpcNote& rpc);

}  // namespace steertag::plugin
