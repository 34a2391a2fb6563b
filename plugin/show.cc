// SPDX-License-Identifier: GPL-2.0-or-later
#include "show.h"

#include <algorithm>

#include "fields.h"
#include "handover.h"
#include "items.h"
#include "notebook.h"
#include "preferences.h"
#include "rpcrdma/header.h"
#include "session.h"

namespace steertag::plugin {

int tap = -1;

namespace {

void tap_message(packet_info* pinfo, const Tapped& tapped) {
  Tapped* kept = wmem_new0(pinfo->pool, Tapped);
  *kept = tapped;
  tap_queue_packet(tap, pinfo, kept);
}

const char* direction_word(const MessageNote& message) {
  switch (message.direction) {
    case flow::Direction::call:
      return "Call";
    case flow::Direction::reply:
      return "Reply";
    case flow::Direction::unknown:
      break;
  }
  return "message";
}

// "RDMA_MSG", from the packet's pool: the text outlives this call.
const char* procedure_word(packet_info* pinfo, const MessageNote& message) {
  char text[32];
  text[rpcrdma::procedure_name(message.version, message.procedure).copy(text, sizeof text - 1)] = '\0';
  return wmem_strdup(pinfo->pool, text);
}

void show_message(tvbuff_t* frame, packet_info* pinfo, proto_tree* root, const Notebook& book,
                  const MessageNote& message) {
  Place place{frame, static_cast<int>(message.offset), message.captured};
  if (!message.in_frame || message.frame != pinfo->num ||
      message.offset + message.captured > tvb_captured_length(frame)) {
    if (message.copy.empty()) {
      // About an earlier frame, whose bytes are not available here.
      place = {frame, 0, 0};
    } else {
      uint8_t* bytes =
          static_cast<uint8_t*>(wmem_memdup(pinfo->pool, message.copy.data(), message.copy.size()));
      place.tvb = tvb_new_child_real_data(frame, bytes, static_cast<Size>(message.copy.size()),
                                          static_cast<int>(message.length));
      place.offset = 0;
      add_new_data_source(pinfo, place.tvb, "Send");
    }
  }
  const char* procedure = procedure_word(pinfo, message);
  if (takes(message.version)) {
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "RPC-over-RDMA");
    col_add_fstr(pinfo->cinfo, COL_INFO, "%s %s, XID 0x%08x", procedure, direction_word(message),
                 message.xid);
  }

  proto_tree* tree = nullptr;
  proto_item* item = nullptr;
  const RpcTimes* const times = message.times < 0 ? nullptr : &book.times[static_cast<size_t>(message.times)];
  if (root != nullptr) {
    const uint32_t header = std::min(message.header_length, place.captured);
    item = proto_tree_add_protocol_format(root, proto, place.tvb, place.offset, static_cast<int>(header),
                                          "RPC over RDMA, %s, %s, XID 0x%08x", procedure,
                                          direction_word(message), message.xid);
    tree = proto_item_add_subtree(item, ett_of(Part::protocol));
    if (place.captured != 0) {
      add_header(tree, pinfo, place, message);
    }
    add_details(tree, place.tvb, pinfo, message, times);
    if (times != nullptr) {
      const bool call = message.direction == flow::Direction::call;
      add_link(tree, place.tvb, hf::accepted_in, call ? times->call_accepted : times->reply_accepted);
    }
  }
  if (times != nullptr) {
    note_unanswered(pinfo, item, message, *times);
  }
  tap_message(pinfo, {&message, nullptr, nullptr});
  hand_over(place, pinfo, root, tree, message);
}

void show_note(const Notebook& book, const Note& note, tvbuff_t* frame, packet_info* pinfo,
               proto_tree* root) {
  switch (note.kind) {
    case Note::Kind::message:
      return show_message(frame, pinfo, root, book, book.messages[note.index]);
    case Note::Kind::rpc:
      return hand_over(frame, pinfo, root, book.rpcs[note.index]);
    case Note::Kind::piece:
      return add_piece(root, frame, book.messages[note.index]);
    case Note::Kind::times:
      return add_late_times(root, frame, pinfo, book.times[note.index]);
    case Note::Kind::placement:
      add_placement(root, frame, pinfo, book.placements[note.index]);
      return tap_message(pinfo, {nullptr, &book.placements[note.index], nullptr});
    case Note::Kind::finding:
      add_finding(root, frame, pinfo, book.findings[note.index]);
      return tap_message(pinfo, {nullptr, nullptr, &book.findings[note.index]});
    case Note::Kind::ack:
      return;  // the Info column says it
    case Note::Kind::loss:
      return add_lost(root, frame, pinfo, book.losses[note.index]);
    case Note::Kind::repeat:
      return add_repeat(root, frame, pinfo, book.repeats[note.index]);
    case Note::Kind::copied:
      return add_copied(root, frame, book.repeats[note.index]);
  }
}

}  // namespace

bool show(tvbuff_t* frame, packet_info* pinfo, proto_tree* tree, bool first) {
  const uint32_t number = pinfo->num;
  bool shown = false;
  if (const Ending& ending = session::ending(); ending && ending.frame == number) {
    add_ending(tree, frame, pinfo, ending.text);
    shown = true;
  }
  if (session::notebook() == nullptr) {
    return shown;
  }
  const Notebook& book = *session::notebook();
  begin_handover();
  // What became known about earlier frames comes first, because it happened first: a Call before its Reply.
  // The columns are this frame's own.
  if (const FrameNotes::Range late = book.late.of(number); first && !late.empty()) {
    col_set_writable(pinfo->cinfo, -1, false);
    for (const Note& note : late) {
      show_note(book, note, frame, pinfo, tree);
    }
    col_set_writable(pinfo->cinfo, -1, true);
    shown = true;
  }
  for (const Note& note : book.of_frame.of(number)) {
    show_note(book, note, frame, pinfo, tree);
    shown |= note.kind != Note::Kind::ack;
  }
  name_owner(pinfo, book);
  mark_info(pinfo, book);
  return shown;
}

}  // namespace steertag::plugin
