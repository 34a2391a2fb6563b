// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fence.h"
#include "fields.h"
#include "notebook.h"
#include "rpcrdma/header.h"
#include "show.h"
#include "wire/outline.h"

namespace steertag::plugin {
namespace {

using wire::Node;

struct Named {
  std::string_view name;
  int* field;
};

// XDR names and their fields. Groups and lists are distinguished by place, in group_field().
constexpr Named named[] = {
    {"rdma_xid", &hf::xid},
    {"rdma_vers", &hf::vers},
    {"rdma_credit", &hf::credit},
    {"rdma_proc", &hf::proc},
    {"rdma_align", &hf::align},
    {"rdma_thresh", &hf::thresh},
    {"rdma_direction", &hf::direction},
    {"rdma_optdir", &hf::direction},
    {"rdma_inv_handle", &hf::inv_handle},
    {"position", &hf::read_position},
    {"handle", &hf::segment_handle},
    {"length", &hf::segment_length},
    {"offset", &hf::segment_offset},
    {"rdma_err", &hf::err},
    {"rdma_vers_low", &hf::vers_low},
    {"rdma_vers_high", &hf::vers_high},
    {"rdma_extra", &hf::extra},
    {"rdma_processed", &hf::processed},
    {"rdma_segment_index", &hf::segment_index},
    {"rdma_length_needed", &hf::length_needed},
    {"rdma_opttype", &hf::opttype},
    {"optixch_nochg", &hf::xchar_nochg},
    {"optrespxch_done", &hf::xchar_done},
    {"optrespxch_rej", &hf::xchar_rej},
    {"optrespxch_pend", &hf::xchar_pend},
    {"optupdxch_pendclr", &hf::xchar_pendclr},
    {"xchv_which", &hf::xchar_which},
    {"xchv_data", &hf::xchar_data},
    {"rdma_optinfo", &hf::optinfo_data},
    {"maxcall_sendsize", &hf::maxcall_sendsize},
    {"maxreply_sendsize", &hf::maxreply_sendsize},
    {"maxrdmaread", &hf::maxrdmaread},
    {"align", &hf::config_align},
};

int field_of(std::string_view name) {
  for (const Named& entry : named) {
    if (entry.name == name) {
      return *entry.field;
    }
  }
  return -1;
}

struct Group {
  int field;
  Part part;
  const char* label;
};

Group group_of(const Node& node, bool in_reads) {
  const std::string_view name = node.name;
  const bool element = node.index != Node::no_index;
  if (name == "rdma_reads") {
    return element ? Group{hf::read, Part::element, "Read segment"}
                   : Group{hf::reads, Part::list, "Read list"};
  }
  if (name == "rdma_writes") {
    return element ? Group{hf::write, Part::element, "Write chunk"}
                   : Group{hf::writes, Part::list, "Write list"};
  }
  if (name == "rdma_reply") {
    return element ? Group{hf::write, Part::element, "Chunk"} : Group{hf::reply, Part::list, "Reply chunk"};
  }
  if (name == "target") {
    return element || in_reads ? Group{hf::segment, Part::segment, "Segment"}
                               : Group{hf::segments, Part::list, "Segments"};
  }
  if (name == "optixch_start") {
    return {element ? hf::group : hf::xchar_start, Part::element, "Characteristic at the start"};
  }
  if (name == "optreqxch_want") {
    return {element ? hf::group : hf::xchar_want, Part::element, "Characteristic wanted"};
  }
  if (name == "optupdxch_now") {
    return {hf::xchar_now, Part::element, "New value"};
  }
  if (name == "rdma_optinfo") {
    return {hf::optinfo, Part::list, "Optional information"};
  }
  return {hf::group, Part::element, node.name};
}

// The outline of the message at hand. Not on the stack: adding to a tree may
// leave by longjmp, and then no destructor runs.
std::vector<Node> nodes;

// Has `outline` fill `nodes`. Where memory runs out, the frame says so, and there are none.
void fill_nodes(proto_tree* tree, packet_info* pinfo, const auto& outline) {
  nodes.clear();
  if (!fence::run(outline)) {
    nodes.clear();
    expert_add_info(pinfo, proto_tree_get_parent(tree), &ei::unshown);
  }
}

// How many elements the list at `at` has: the numbered nodes directly below it.
unsigned elements(size_t at) {
  unsigned count = 0;
  for (size_t i = at + 1; i < nodes.size() && nodes[i].depth > nodes[at].depth; ++i) {
    count += nodes[i].depth == nodes[at].depth + 1 && nodes[i].index != Node::no_index ? 1 : 0;
  }
  return count;
}

bool is_segment(size_t at) {
  return at + 3 < nodes.size() && nodes[at + 1].depth == nodes[at].depth + 1 &&
         std::string_view(nodes[at + 1].name) == "handle" && std::string_view(nodes[at + 3].name) == "offset";
}

proto_tree* add_group(proto_tree* tree, const Place& place, size_t at, bool in_reads) {
  const Node& node = nodes[at];
  const Group group = group_of(node, in_reads);
  const int start = place.offset + static_cast<int>(node.at.offset);
  const int length = static_cast<int>(node.at.length);
  proto_item* item;
  if (is_segment(at)) {
    item = proto_tree_add_none_format(tree, group.field, place.tvb, start, length,
                                      "%s: handle 0x%08x, %u bytes at 0x%" PRIx64, group.label,
                                      static_cast<unsigned>(nodes[at + 1].value),
                                      static_cast<unsigned>(nodes[at + 2].value), nodes[at + 3].value);
  } else if (node.index != Node::no_index) {
    item = proto_tree_add_none_format(tree, group.field, place.tvb, start, length, "%s %u", group.label,
                                      node.index + 1);
  } else if (group.part == Part::list && group.field != hf::optinfo) {
    const unsigned count = elements(at);
    item = count == 0 ? proto_tree_add_none_format(tree, group.field, place.tvb, start, length, "%s: none",
                                                   group.label)
                      : proto_tree_add_none_format(tree, group.field, place.tvb, start, length, "%s: %u",
                                                   group.label, count);
  } else {
    item = proto_tree_add_none_format(tree, group.field, place.tvb, start, length, "%s", group.label);
  }
  return proto_item_add_subtree(item, ett_of(group.part));
}

void add_leaf(proto_tree* tree, const Place& place, const Node& node) {
  const int field = field_of(node.name);
  const int start = place.offset + static_cast<int>(node.at.offset);
  const int length = static_cast<int>(node.at.length);
  if (field < 0) {
    proto_tree_add_none_format(tree, hf::group, place.tvb, start, length, "%s: %" PRIu64, node.name,
                               node.value);
    return;
  }
  if (node.kind == Node::Kind::opaque) {
    proto_item* item = proto_tree_add_bytes_with_length(
        tree, field, place.tvb, start, length, node.bytes.data(), static_cast<int>(node.bytes.size()));
    if (!node.text.empty()) {
      proto_item_append_text(item, " (%s)", node.text.c_str());
    }
    return;
  }
  if (field == hf::segment_offset) {
    proto_tree_add_uint64(tree, field, place.tvb, start, length, node.value);
    return;
  }
  const uint32_t value = static_cast<uint32_t>(node.value);
  if (node.kind == Node::Kind::enumerator && !node.text.empty()) {
    proto_tree_add_uint_format_value(tree, field, place.tvb, start, length, value, "%s (%u)",
                                     node.text.c_str(), value);
  } else {
    proto_tree_add_uint(tree, field, place.tvb, start, length, value);
  }
}

void add_stop(proto_tree* tree, packet_info* pinfo, const Place& place, const wire::Stop& stop) {
  proto_item* item = proto_tree_add_string_format(
      tree, hf::stop, place.tvb, place.offset + static_cast<int>(std::min(stop.offset, place.captured)), 0,
      "", "The %s ends in %s: %u bytes needed, %u left",
      stop.limit == wire::Limit::capture ? "capture" : "message", stop.field, stop.needed, stop.available);
  if (stop.limit != wire::Limit::capture) {
    expert_add_info(pinfo, item, &ei::cut);
  }
}

// CONF_RDMA, which no other dissector knows.
void add_configuration(proto_tree* tree, packet_info* pinfo, const Place& place, Bytes bytes,
                       const MessageNote& message) {
  if (!message.config || bytes.size() <= message.header_length) {
    return;
  }
  fill_nodes(tree, pinfo, [&] {
    rpcrdma::config::outline(*message.config, slice(bytes, message.header_length), message.header_length,
                             nodes);
  });
  if (nodes.empty()) {
    return;
  }
  const int start = place.offset + static_cast<int>(nodes.front().at.offset);
  const int length = static_cast<int>(nodes.back().at.end() - nodes.front().at.offset);
  proto_item* item = proto_tree_add_none_format(tree, hf::config, place.tvb, start, length, "CONF_RDMA: %s",
                                                message.config->asked ? "requested" : "settled");
  proto_tree* inner = proto_item_add_subtree(item, ett_of(Part::element));
  for (const Node& node : nodes) {
    add_leaf(inner, place, node);
  }
}

}  // namespace

void add_header(proto_tree* tree, packet_info* pinfo, const Place& place, const MessageNote& message) {
  constexpr size_t kDeepest = 16;
  proto_tree* trees[kDeepest + 1] = {tree};
  const Bytes bytes(
      place.captured == 0 ? nullptr : tvb_get_ptr(place.tvb, place.offset, static_cast<int>(place.captured)),
      place.captured);
  static_assert(std::is_trivially_destructible_v<rpcrdma::Decoded>);
  rpcrdma::Decoded decoded;
  fill_nodes(tree, pinfo, [&] { decoded = rpcrdma::outline(bytes, message.length, nodes); });
  bool in_reads = false;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    const size_t depth = std::min<size_t>(node.depth, kDeepest - 1);
    if (node.kind == Node::Kind::group) {
      if (depth == 0) {
        in_reads = std::string_view(node.name) == "rdma_reads";
      }
      trees[depth + 1] = add_group(trees[depth], place, i, in_reads);
    } else {
      add_leaf(trees[depth], place, node);
    }
  }
  if (decoded.stop) {
    add_stop(tree, pinfo, place, *decoded.stop);
  }
  add_configuration(tree, pinfo, place, bytes, message);
}

}  // namespace steertag::plugin
