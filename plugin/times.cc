// What an RPC was about, and where its time went, as items of a protocol tree.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "fields.h"
#include "items.h"
#include "notebook.h"
#include "report/record/rpc.h"
#include "show.h"

namespace steertag::plugin {
namespace {

using report::record::FrameMember;
using report::record::Member;

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

// Wireshark keeps the addresses of all of it. They are registered outside of any fence, so it takes no memory
// that may not be there.
struct TimingField {
  std::array<char, 48> name = {}, label = {};
  hf_register_info info = {};
  int id = -1;
};
std::array<TimingField, 32> timing_fields;  // in the order in which members are told

// Tells of the times of an RPC (report/record/member.h): those members that the record "rpc" of `flows` has
// of them, as fields by their names there, so that delivered_us is rpcrdma.delivered. Without a tree it
// registers them.
class TimingTeller {
 public:
  TimingTeller(proto_tree* tree, tvbuff_t* tvb) : tree_(tree), tvb_(tvb), there_(tree != nullptr) {}

  void duration(const Member& m, const std::optional<int64_t>& ns) {
    const int field = this->field(m, FT_RELATIVE_TIME);
    item_ = ns && there_ ? add_time(tree_, tvb_, field, *ns) : item_;
  }
  void stretch(const Member& m, int64_t begin_ns, int64_t end_ns) {
    duration(m, end_ns != begin_ns ? std::optional(end_ns - begin_ns) : std::nullopt);
  }
  template <typename T>
  void number(const Member& m, const std::optional<T>& value) {
    const int field = this->field(m, FT_UINT32, BASE_DEC);
    value&& there_ ? add_uint(tree_, tvb_, field, static_cast<uint32_t>(*value)) : void();
  }
  void choice(const Member& m, auto value) {
    const int field = this->field(m, FT_STRING);
    if (there_) {
      add_string(tree_, tvb_, field, word(value));
    }
  }
  void frame(const FrameMember& /*m*/, const Stamp& at) {
    const int field = this->field(object_, FT_FRAMENUM, BASE_NONE, FRAMENUM_TYPE(FT_FRAMENUM_RETRANS_PREV));
    there_ ? add_link(tree_, tvb_, field, static_cast<uint32_t>(at.number)) : void();
  }
  void connection(const Member& /*m*/, track::ConnectionNumber /*number*/) {}
  void part(bool there, const auto& tell) {  // below the item before it
    proto_tree* const outer = tree_;
    tree_ = there ? proto_item_add_subtree(item_, ett_of(Part::generated)) : tree_;
    object_if({}, there, tell);
    tree_ = outer;
  }
  void object(const Member& m, const auto& tell) { object_if(m, true, tell); }
  void object_if(const Member& m, bool there, const auto& tell) {
    const Member outer = std::exchange(object_, m);
    const bool before = std::exchange(there_, there_ && there);
    tell();
    there_ = before;
    object_ = outer;
  }
  void needs(std::string_view /*name*/, std::initializer_list<std::string_view> /*others*/) {}

 private:
  int field(const Member& m, ftenum type, int display = BASE_NONE, const void* strings = nullptr) {
    if (tree_ != nullptr) {
      return timing_fields[next_++].id;
    }
    g_assert(next_ < timing_fields.size());
    TimingField& made = timing_fields[next_++];
    const auto size = static_cast<int>(m.name.size() - (m.name.ends_with("_us") ? 3 : 0));
    g_snprintf(made.name.data(), made.name.size(), "rpcrdma.%s%.*s", object_.name == "phases" ? "phase." : "",
               size, m.name.data());
    g_snprintf(made.label.data(), made.label.size(), "%.*s", size, m.name.data());
    made.label[0] = g_ascii_toupper(made.label[0]);
    std::replace(made.label.begin(), made.label.end(), '_', ' ');
    // A literal: it ends with a null.
    made.info = {&made.id,
                 {made.label.data(), made.name.data(), type, display, strings, 0, m.says.data(), HFILL}};
    proto_register_field_array(proto, &made.info, 1);
    return -1;
  }

  proto_tree* tree_;
  tvbuff_t* tvb_;
  bool there_;
  proto_item* item_ = nullptr;
  Member object_;
  size_t next_ = 0;
};

}  // namespace

void register_timing_fields() {
  TimingTeller to(nullptr, nullptr);
  report::record::tell_timing(to, flow::Timing());
}

void add_times(proto_tree* tree, tvbuff_t* tvb, packet_info* pinfo, const RpcTimes& times) {
  add_operation(tree, tvb, pinfo, times);
  TimingTeller to(tree, tvb);
  report::record::tell_timing(to, times.timing);
}

void add_late_times(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const RpcTimes& times) {
  if (root == nullptr) {
    return;
  }
  proto_item* item = generated(proto_tree_add_protocol_format(
      root, proto, tvb, 0, 0, "RPC over RDMA, times of XID 0x%08x", times.xid));
  proto_tree* tree = proto_item_add_subtree(item, ett_of(Part::protocol));
  add_link(tree, tvb, hf::late, times.frame);
  if (times.connection != nullptr) {
    add_uint(tree, tvb, hf::conn, times.connection->number);
  }
  add_times(tree, tvb, pinfo, times);
}

}  // namespace steertag::plugin
