// Packets that were lost or sent again, as items of a protocol tree and expert infos: what Wireshark has of
// TCP, and what steertag losses says. What becomes known later than a frame is at that frame only when it is
// dissected again.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields.h"
#include "items.h"
#include "notebook.h"
#include "rules/engine.h"
#include "show.h"

namespace steertag::plugin {
namespace {

using flow::Loss;

// An item of its own, and below it what it is about; null without a tree.
proto_tree* add_tree(proto_tree* root, tvbuff_t* tvb, const ConnectionNote* connection, const char* title,
                     proto_item*& item) {
  if (root == nullptr) {
    return nullptr;
  }
  proto_tree* const outer = proto_item_add_subtree(
      generated(proto_tree_add_protocol_format(root, proto, tvb, 0, 0, "RPC over RDMA, %s", title)),
      ett_of(Part::protocol));
  item = generated(proto_tree_add_none_format(outer, hf::resending, tvb, 0, 0, "%s", title));
  proto_tree* const tree = proto_item_add_subtree(item, ett_of(Part::generated));
  if (connection != nullptr) {
    add_uint(tree, tvb, hf::conn, connection->number);
  }
  return tree;
}

// "Lost behind the tap", where that is known.
const char* what_happened(const Loss& loss) {
  if (loss.packets == 0) {
    return "nothing lost";
  }
  if (loss.what == Loss::What::ack) {
    return "the acknowledgment was lost";
  }
  switch (loss.where) {
    case Loss::Where::before_tap:
      return "lost in front of the tap";
    case Loss::Where::after_tap:
      return "lost behind the tap";
    case Loss::Where::receiver:
      return "the receiver was not ready";
    case Loss::Where::unknown:
      break;
  }
  return loss.noticed_by == Loss::NoticedBy::read_retry ? "lost, or the Request for it was"
                                                        : "lost, or its acknowledgment was";
}

const char* sign_of(const Loss& loss) {
  if (!loss.noticed_by) {
    return "what told its sender was not captured";
  }
  switch (*loss.noticed_by) {
    case Loss::NoticedBy::nak:
      return "a NAK asked for it";
    case Loss::NoticedBy::rnr_nak:
      return "an RNR NAK delayed it";
    case Loss::NoticedBy::read_retry:
      return "a Read Request was repeated";
    case Loss::NoticedBy::duplicate_acks:
      return "repeated acknowledgments asked for it";
    case Loss::NoticedBy::timeout:
      break;
  }
  return "after a timeout";
}

void add_loss(proto_tree* tree, tvbuff_t* tvb, const Loss& loss) {
  add_link(tree, tvb, hf::accepted_in, number(loss.accepted));
  if (loss.packets != 0) {
    add_string(tree, tvb, hf::lost_what, word(loss.what));
    add_string(tree, tvb, hf::lost_where, word(loss.where));
  }
  if (loss.noticed_by) {
    add_string(tree, tvb, hf::noticed_by, word(*loss.noticed_by));
  }
  add_link(tree, tvb, hf::noticed_in, number(loss.noticed));
  if (const std::optional<int64_t> delay_ns = loss.delay_ns()) {
    add_time(tree, tvb, hf::loss_delay, *delay_ns);
  }
}

}  // namespace

void add_lost(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const LossNote& lost) {
  const Loss& loss = lost.loss;
  proto_item* item = nullptr;
  const bool ack = loss.what == Loss::What::ack;
  const char* const title = ack ? "acknowledgment lost" : what_happened(loss);
  if (proto_tree* const tree = add_tree(root, tvb, lost.connection, title, item)) {
    add_loss(tree, tvb, loss);
  }
  expert_add_info_format(pinfo, item, &ei::lost, "%s %s; sent again in frame %u",
                         ack ? "Acknowledgment" : "Packet", ack ? "lost" : what_happened(loss),
                         number(loss.resent));
}

void add_repeat(proto_tree* root, tvbuff_t* tvb, packet_info* pinfo, const RepeatNote& repeat) {
  proto_item* item = nullptr;
  if (proto_tree* const tree = add_tree(root, tvb, repeat.connection, "sent again", item)) {
    add_link(tree, tvb, hf::original_in, repeat.original);
    if (repeat.loss) {
      add_loss(tree, tvb, *repeat.loss);
    }
  }
  if (repeat.loss) {
    expert_add_info_format(pinfo, item, &ei::retransmission, "Sent again: %s, %s",
                           what_happened(*repeat.loss), sign_of(*repeat.loss));
  } else {
    expert_add_info_format(pinfo, item, &ei::retransmission, "Sent again");
  }
}

void add_copied(proto_tree* root, tvbuff_t* tvb, const RepeatNote& repeat) {
  proto_item* item = nullptr;
  char title[40];
  snprintf(title, sizeof title, "sent again in frame %u", repeat.frame);
  if (proto_tree* const tree = add_tree(root, tvb, repeat.connection, title, item)) {
    add_link(tree, tvb, hf::resent_in, repeat.frame);
  }
}

void note_unanswered(packet_info* pinfo, proto_item* item, const MessageNote& message,
                     const RpcTimes& times) {
  if (message.direction != flow::Direction::call || !times.timing.unanswered_ns) {
    return;
  }
  const int64_t waited_ns = *times.timing.unanswered_ns;
  const bool long_enough = waited_ns >= rules::Settings().answer_within_ns;
  expert_add_info_format(pinfo, item, long_enough ? &ei::no_reply : &ei::waiting,
                         long_enough
                             ? "No Reply to this Call, as far as the capture goes: %.3f s"
                             : "No Reply to this Call yet where the capture or its connection ends: %.3f s",
                         static_cast<double>(waited_ns) / 1e9);
}

}  // namespace steertag::plugin
