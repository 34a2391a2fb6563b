// Whose an RDMA Read, a Write or an acknowledgment is, or a packet that was sent again: the Info column of
// such a frame says at its end the XID and the operation of the RPC, where that is known. What has an RPC
// message in it says so itself.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <string>

#include "fence.h"
#include "notebook.h"
#include "rpcrdma/programs.h"
#include "show.h"

namespace steertag::plugin {
namespace {

constexpr size_t kName = 64;

// "NFSv4 READ"; "NFSv4 COMPOUND" as long as its operations are not known; empty.
void name_call(const Notebook& book, uint32_t message, char (&into)[kName]) {
  into[0] = '\0';
  if (message == kNoMessage) {
    return;
  }
  const MessageNote& call = book.messages[message];
  if (call.times >= 0) {
    const std::string& name = book.times[static_cast<size_t>(call.times)].name;
    into[name.copy(into, kName - 1)] = '\0';
  } else if (call.rpc) {
    static_cast<void>(fence::run([&] {
      const std::string name = rpcrdma::name(call.rpc->program, call.rpc->version, call.rpc->procedure);
      into[name.copy(into, kName - 1)] = '\0';
    }));
  }
}

// What a frame is for: the first RPC, and how many others.
struct Owner {
  const PlacementNote* placed = nullptr;
  const AckNote* acknowledges = nullptr;
  const MessageNote* repeats = nullptr;  // the message that it is a later copy of
  unsigned others = 0;

  bool any() const { return placed != nullptr || acknowledges != nullptr; }
  void add(const PlacementNote& one) {
    others += any() && (placed == nullptr || placed->xid != one.xid) ? 1 : 0;
    placed = any() ? placed : &one;
  }
  void add(const AckNote& one) {
    others += any() ? 1 : 0;
    acknowledges = any() ? acknowledges : &one;
  }
};

bool is_of_message(const Note& note) {
  return note.kind == Note::Kind::message || note.kind == Note::Kind::rpc || note.kind == Note::Kind::piece;
}

// The frame whose copy this is; 0: it is none, or that is not known.
uint32_t first_copy(const Notebook& book, uint32_t frame) {
  for (const Note& note : book.of_frame.of(frame)) {
    if (note.kind == Note::Kind::repeat) {
      return book.repeats[note.index].original;
    }
  }
  return 0;
}

// Of a later copy: the owner of the first one.
Owner owner_of_first(const Notebook& book, uint32_t first) {
  Owner owner;
  for (const Note& note : book.of_frame.of(first)) {
    if (note.kind == Note::Kind::message || note.kind == Note::Kind::piece) {
      return {.repeats = &book.messages[note.index]};
    }
    if (note.kind == Note::Kind::placement) {
      owner.add(book.placements[note.index]);
    }
  }
  return owner;
}

void name_repeated(packet_info* pinfo, const Notebook& book, const MessageNote& message) {
  const bool iwarp = message.connection != nullptr && message.connection->transport == rdma::Transport::iwarp;
  const char* const what = message.direction == flow::Direction::reply ? "Reply" : "Call";
  const RpcTimes* const times = message.times < 0 ? nullptr : &book.times[static_cast<size_t>(message.times)];
  col_append_fstr(pinfo->cinfo, COL_INFO, "%s[%s again, XID 0x%08x%s%s]", iwarp ? " " : "", what, message.xid,
                  times == nullptr || times->name.empty() ? "" : " ",
                  times == nullptr ? "" : times->name.c_str());
}

}  // namespace

void name_owner(packet_info* pinfo, const Notebook& book) {
  Owner owner;
  for (const Note& note : book.of_frame.of(pinfo->num)) {
    if (is_of_message(note)) {
      return;
    }
    if (note.kind == Note::Kind::placement) {
      owner.add(book.placements[note.index]);
    } else if (note.kind == Note::Kind::ack && owner.placed == nullptr) {
      owner.add(book.acks[note.index]);
    }
  }
  if (owner.placed == nullptr) {
    const uint32_t first = first_copy(book, pinfo->num);
    owner = first == 0 ? owner : owner_of_first(book, first);
  }
  if (owner.repeats != nullptr) {
    return name_repeated(pinfo, book, *owner.repeats);
  }
  if (!owner.any()) {
    return;
  }
  // Wireshark's own text of RoCE ends with a blank.
  const bool iwarp = owner.placed != nullptr && owner.placed->connection != nullptr &&
                     owner.placed->connection->transport == rdma::Transport::iwarp;
  const char* const blank = iwarp ? " " : "";
  char name[kName] = "", others[24] = "";
  if (owner.others != 0) {
    snprintf(others, sizeof others, " and %u more", owner.others);
  }
  if (owner.placed != nullptr) {
    name_call(book, owner.placed->call_message, name);
    col_append_fstr(pinfo->cinfo, COL_INFO, "%s[XID 0x%08x%s%s%s]", blank, owner.placed->xid,
                    name[0] == '\0' ? "" : " ", name, others);
  } else {
    const RpcTimes& times = book.times[owner.acknowledges->times];
    col_append_fstr(pinfo->cinfo, COL_INFO, "[%s of XID 0x%08x%s%s%s]",
                    owner.acknowledges->reply ? "Reply" : "Call", times.xid, times.name.empty() ? "" : " ",
                    times.name.c_str(), others);
  }
}

}  // namespace steertag::plugin
