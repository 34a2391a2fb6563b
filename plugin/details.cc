// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields.h"
#include "items.h"
#include "notebook.h"
#include "preferences.h"
#include "show.h"

namespace steertag::plugin {
namespace {

bool doubtful(const FindingNote& finding) {
  return finding.certainty == rules::Certainty::possible && !shows_possible_in_full();
}

// For filters and colours; the expert info says the same for people.
void add_severity(proto_tree* tree, tvbuff_t* tvb, const FindingNote& finding) {
  const int field = doubtful(finding)                              ? hf::is_possible
                    : finding.severity == rules::Severity::error   ? hf::is_error
                    : finding.severity == rules::Severity::warning ? hf::is_warning
                                                                   : hf::is_note;
  proto_item_set_hidden(generated(proto_tree_add_item(tree, field, tvb, 0, 0, ENC_NA)));
}

void add_connection(proto_tree* tree, tvbuff_t* tvb, const ConnectionNote& connection, rdma::Side from) {
  add_uint(tree, tvb, hf::conn, connection.number);
  add_string(tree, tvb, hf::transport, word(connection.transport));
  const ConnectionNote::End& source = connection.ends[rdma::index(from)];
  const ConnectionNote::End& target = connection.ends[rdma::index(rdma::other(from))];
  if (source.port) {
    add_uint(tree, tvb, hf::src_port, *source.port);
  }
  if (target.port) {
    add_uint(tree, tvb, hf::dst_port, *target.port);
  }
}

// What counted when the message was sent, and what had set it.
void add_in_force(proto_tree* tree, tvbuff_t* tvb, const MessageNote& message) {
  if (const auto& limit = message.threshold) {
    add_uint(tree, tvb, hf::threshold, limit->value);
    add_string(tree, tvb, hf::threshold_by, word(limit->by, rpcrdma::xchar::Id::rbsiz));
    add_link(tree, tvb, hf::threshold_frame, limit->frame);
  }
  if (const auto& takes = message.invalidation) {
    generated(proto_tree_add_boolean(tree, hf::invalidation, tvb, 0, 0, takes->value));
    add_string(tree, tvb, hf::invalidation_by, word(takes->by, rpcrdma::xchar::Id::reqreminv));
    add_link(tree, tvb, hf::invalidation_frame, takes->frame);
  }
}

}  // namespace

void add_details(proto_tree* tree, tvbuff_t* tvb, packet_info* pinfo, const MessageNote& message,
                 const RpcTimes* times) {
  if (message.frame != pinfo->num) {
    add_link(tree, tvb, hf::late, message.frame);
  }
  if (message.connection != nullptr) {
    add_connection(tree, tvb, *message.connection, message.from);
  }
  if (message.direction != flow::Direction::unknown) {
    add_string(tree, tvb, hf::call_reply, message.direction == flow::Direction::call ? "call" : "reply");
  }
  for (size_t i = 0; i < message.frames.size(); ++i) {
    add_link(tree, tvb, hf::part, message.frames[i]);
  }
  add_link(tree, tvb, hf::call_in, message.call);
  add_link(tree, tvb, hf::reply_in, message.reply);
  if (message.latency_ns && message.direction == flow::Direction::reply) {
    add_time(tree, tvb, hf::latency, *message.latency_ns);
  }
  if (message.invalidated) {
    add_uint(tree, tvb, hf::invalidated, *message.invalidated);
  }
  if (message.unreceived) {
    add_string(tree, tvb, hf::received, "no: sent after the disconnect, never acknowledged");
  }
  if (message.granted) {
    add_uint(tree, tvb, hf::granted, *message.granted);
  }
  if (message.outstanding) {
    add_uint(tree, tvb, hf::outstanding, *message.outstanding);
  }
  add_in_force(tree, tvb, message);
  add_link(tree, tvb, hf::completed_in, message.completed_in);
  if (times != nullptr) {
    add_times(tree, tvb, pinfo, *times);
  }
}

void add_piece(proto_tree* root, tvbuff_t* tvb, const MessageNote& message) {
  if (root == nullptr) {
    return;
  }
  proto_item* item = generated(proto_tree_add_protocol_format(
      root, proto, tvb, 0, 0, "RPC over RDMA, a piece of the message in frame %u", message.frame));
  add_link(proto_item_add_subtree(item, ett_of(Part::protocol)), tvb, hf::message_in, message.frame);
}

void add_placement(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const PlacementNote& placement) {
  if (root == nullptr) {
    return;
  }
  proto_item* item = generated(proto_tree_add_protocol_format(
      root, proto, tvb, 0, 0, "RPC over RDMA, %s %s chunk of XID 0x%08x, bytes %u to %u of %u",
      placement.request ? "request for" : "data of", word(placement.kind), placement.xid, placement.offset,
      placement.offset + placement.length, placement.segment_length));
  proto_tree* outer = proto_item_add_subtree(item, ett_of(Part::protocol));
  item = generated(proto_tree_add_none_format(outer, hf::placement, tvb, 0, 0, "%s",
                                              placement.request ? "Read Request" : "Chunk data"));
  proto_tree* tree = proto_item_add_subtree(item, ett_of(Part::placement));
  if (placement.frame != pinfo->num) {
    add_link(tree, tvb, hf::late, placement.frame);
  }
  if (placement.connection != nullptr) {
    add_uint(tree, tvb, hf::conn, placement.connection->number);
  }
  add_uint(tree, tvb, hf::placement_xid, placement.xid);
  add_link(tree, tvb, hf::placement_call, placement.call);
  add_string(tree, tvb, hf::placement_kind, word(placement.kind));
  if (flow::for_reading(placement.kind)) {
    add_uint(tree, tvb, hf::placement_position, placement.position);
  } else if (placement.kind == flow::ChunkKind::write) {
    add_uint(tree, tvb, hf::placement_chunk, placement.chunk + 1);
  }
  add_uint(tree, tvb, hf::placement_segment, placement.segment + 1);
  add_uint(tree, tvb, hf::placement_handle, placement.handle);
  add_uint(tree, tvb, hf::placement_offset, placement.offset);
  add_uint(tree, tvb, hf::placement_length, placement.length);
  add_uint(tree, tvb, hf::placement_of, placement.segment_length);
}

void add_finding(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const FindingNote& finding) {
  proto_item* item = nullptr;
  proto_tree* tree = nullptr;
  if (root != nullptr) {
    item = generated(proto_tree_add_protocol_format(
        root, proto, tvb, 0, 0, "RPC over RDMA, %s%s: %s", word(finding.severity),
        finding.certainty == rules::Certainty::possible ? " (possibly)" : "", finding.text.c_str()));
    tree = proto_item_add_subtree(item, ett_of(Part::finding));
    item = add_string(tree, tvb, hf::finding, finding.text.c_str());
    char text[64];
    text[finding.rule->id.copy(text, sizeof text - 1)] = '\0';
    add_string(tree, tvb, hf::rule, text);
    text[finding.rule->name.copy(text, sizeof text - 1)] = '\0';
    add_string(tree, tvb, hf::rule_name, text);
    add_string(tree, tvb, hf::severity, word(finding.severity));
    add_severity(tree, tvb, finding);
    add_string(tree, tvb, hf::certainty, word(finding.certainty));
    add_string(tree, tvb, hf::clause, finding.clause.c_str());
    if (!finding.accused.empty()) {
      add_string(tree, tvb, hf::blame, finding.accused.c_str());
    }
    add_link(tree, tvb, hf::finding_frame, finding.frame);
    if (finding.number != 0) {
      add_uint(tree, tvb, hf::conn, finding.number);
    }
    if (finding.xid) {
      add_uint(tree, tvb, hf::finding_xid, *finding.xid);
    }
    for (size_t i = 0; i < finding.related.size(); ++i) {
      add_link(tree, tvb, hf::related, static_cast<uint32_t>(finding.related[i].number));
    }
  }
  const bool late = finding.frame != pinfo->num;
  expert_add_info_format(pinfo, item, info_of(*finding.rule, finding.severity, doubtful(finding)),
                         "%s%s%s%s (%s) [%.*s]", late ? "earlier frame: " : "", finding.accused.c_str(),
                         finding.accused.empty() ? "" : ": ", finding.text.c_str(), finding.clause.c_str(),
                         static_cast<int>(finding.rule->id.size()), finding.rule->id.data());
}

void add_ending(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const char* text) {
  proto_item* item = nullptr;
  if (root != nullptr) {
    item = generated(proto_tree_add_protocol_format(root, proto, tvb, 0, 0, "RPC over RDMA, %s", text));
    item = add_string(proto_item_add_subtree(item, ett_of(Part::finding)), tvb, hf::ended, text);
  }
  expert_add_info_format(pinfo, item, &ei::ended, "%s", text);
}

}  // namespace steertag::plugin
