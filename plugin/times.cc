// What an RPC was about, and where its time went, as items of a protocol tree.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <iterator>

#include "details.h"
#include "fields.h"
#include "items.h"
#include "notebook.h"

namespace steertag::plugin {
namespace {

void add_operation(proto_tree* tree, tvbuff_t* tvb, packet_info* pinfo, const RpcTimes& times) {
  if (!times.operation.empty()) {
    add_string(tree, tvb, hf::op, times.operation.c_str());
  }
  char* next = wmem_strdup(pinfo->pool, times.operations.c_str());
  while (char* end = strchr(next, ' ')) {
    *end = '\0';
    add_string(tree, tvb, hf::ops, next);
    next = end + 1;
  }
  if (!times.nfs_status.empty()) {
    add_string(tree, tvb, hf::nfs_status, times.nfs_status.c_str());
  }
}

void add_delivered(proto_tree* outer, tvbuff_t* tvb, const flow::Timing& timing) {
  const int fields[] = {hf::phase_call,  hf::phase_start,  hf::phase_read, hf::phase_serve,
                        hf::phase_write, hf::phase_finish, hf::phase_reply};
  static_assert(std::size(fields) == flow::kPhases);
  proto_item* item = add_time(outer, tvb, hf::delivered, *timing.delivered_ns);
  proto_tree* tree = proto_item_add_subtree(item, ett_of(Part::generated));
  for (size_t phase = 0; phase < flow::kPhases; ++phase) {
    if (timing.phases_ns[phase] != 0) {
      add_time(tree, tvb, fields[phase], timing.phases_ns[phase]);
    }
  }
  if (timing.recovery_ns != 0) {
    add_time(tree, tvb, hf::recovery, timing.recovery_ns);
  }
  // A literal: it ends with a null.
  add_string(tree, tvb, hf::waited_on, flow::waited_on_names[static_cast<size_t>(timing.waited_on)].data());
}

}  // namespace

void add_times(proto_tree* tree, tvbuff_t* tvb, packet_info* pinfo, const RpcTimes& times) {
  add_operation(tree, tvb, pinfo, times);
  const flow::Timing& timing = times.timing;
  if (timing.delivered_ns) {
    add_delivered(tree, tvb, timing);
  }
  if (timing.unanswered_ns) {
    add_time(tree, tvb, hf::unanswered, *timing.unanswered_ns);
  }
  if (timing.at_credit_limit_ns) {
    add_time(tree, tvb, hf::at_credit_limit, *timing.at_credit_limit_ns);
  }
  if (timing.attempts > 1) {
    add_uint(tree, tvb, hf::attempts, timing.attempts);
  }
  if (timing.retry_of) {
    add_link(tree, tvb, hf::retry_of, static_cast<uint32_t>(timing.retry_of->call.number));
  }
  if (timing.total_ns) {
    add_time(tree, tvb, hf::total, *timing.total_ns);
  }
}

void add_late_times(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const RpcTimes& times) {
  if (root == nullptr) {
    return;
  }
  proto_item* item =
      proto_tree_add_protocol_format(root, proto, tvb, 0, 0, "RPC over RDMA, times of XID 0x%08x", times.xid);
  proto_item_set_generated(item);
  proto_tree* tree = proto_item_add_subtree(item, ett_of(Part::protocol));
  add_link(tree, tvb, hf::late, times.frame);
  if (times.connection != nullptr) {
    add_uint(tree, tvb, hf::conn, times.connection->number);
  }
  add_times(tree, tvb, pinfo, times);
}

}  // namespace steertag::plugin
