// SPDX-License-Identifier: GPL-2.0-or-later
#include "builtin.h"

#include "fields.h"
#include "frames.h"
#include "notebook.h"
#include "preferences.h"
#include "session.h"

namespace steertag::plugin {
namespace {

struct Builtin {
  const char* name;
  bool switched_off;  // by us
};

Builtin builtins[] = {{"rpcrdma_infiniband", false}, {"rpcrdma_iwarp", false}};
constexpr uint32_t kRocePort = 4791;

bool knows(uint32_t frame) {
  const Notebook* book = session::notebook();
  return book != nullptr && !book->of_frame.of(frame).empty();
}

// Claims the payload of packets that the postdissector will show, so that no other
// dissector takes it for data, or for something that it happens to resemble.
Flag claim(tvbuff_t*, packet_info* pinfo, proto_tree*, void*) {
  if (!takes_version_one()) {
    return false;
  }
  if (!pinfo->fd->visited) {
    if (tvbuff_t* frame = frame_tvb(pinfo)) {
      feed(frame, pinfo);
    }
  }
  return knows(pinfo->num);
}

// A port that was changed takes precedence over all others; changing it to the same
// value is enough. Wireshark sets it back whenever preferences are applied.
void guard_port() {
  dissector_table_t ports = find_dissector_table("udp.port");
  if (ports == nullptr) {
    return;
  }
  if (dissector_handle_t handle = dissector_get_uint_handle(ports, kRocePort)) {
    dissector_change_uint("udp.port", kRocePort, handle);
  }
}

}  // namespace

void register_builtin() {
  heur_dissector_add("infiniband.payload", claim, "RPC over RDMA (Steertag)", "steertag_infiniband", proto,
                     HEURISTIC_ENABLE);
  heur_dissector_add("iwarp_ddp_rdmap", claim, "RPC over RDMA (Steertag)", "steertag_iwarp", proto,
                     HEURISTIC_ENABLE);
}

void settle_with_builtin() {
  if (takes_version_one() && proto_is_protocol_enabled(find_protocol_by_id(proto))) {
    for (Builtin& builtin : builtins) {
      if (heur_dtbl_entry_t* entry = find_heur_dissector_by_unique_short_name(builtin.name)) {
        builtin.switched_off = entry->enabled;
        entry->enabled = false;
      }
    }
  }
  if (guards_ports()) {
    guard_port();
  }
}

void give_back_to_builtin() {
  for (Builtin& builtin : builtins) {
    if (!builtin.switched_off) {
      continue;
    }
    builtin.switched_off = false;
    if (heur_dtbl_entry_t* entry = find_heur_dissector_by_unique_short_name(builtin.name)) {
      entry->enabled = true;
    }
  }
}

}  // namespace steertag::plugin
