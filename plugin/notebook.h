// Notebook: what the engine reported about a capture, by frame number. It is filled
// while Wireshark dissects the frames for the first time, in order; whatever is
// dissected later, in any order and any number of times, only reads it.
// A note belongs to the frame that it is about. The engine may report it later:
// a message that had to wait for an earlier packet, a finding that had to wait
// for proof. Such a note is known from `known_from` on, and `late` lists it there.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "flow/exchange.h"
#include "flow/loss.h"
#include "flow/message.h"
#include "flow/timing.h"
#include "frame_notes.h"
#include "history/in_force.h"
#include "report/verdict.h"
#include "streams.h"

namespace steertag::plugin {

// The frame's number, as Wireshark has it; 0: none.
inline uint32_t number(const std::optional<Stamp>& at) {
  return at ? static_cast<uint32_t>(at->number) : 0;
}

inline constexpr uint32_t kNoMessage = UINT32_MAX;  // in place of an index of Notebook::messages

// A connection as far as it is known by now.
struct ConnectionNote {
  uint32_t number = 0;
  rdma::Transport transport = rdma::Transport::roce2;
  struct End {
    base::Address address;
    std::optional<uint32_t> port;  // QPN or TCP port
  };
  End ends[2];
  std::optional<rdma::Side> client;
};

// An RPC message that is handed to Wireshark's own dissectors.
struct RpcNote {
  Stream stream;
  const ConnectionNote* connection = nullptr;
  uint32_t version = 0;
  rdma::Side from = rdma::Side::a;
  bool reply = false;
  uint32_t frame = 0;   // of the Send that it belongs to ...
  int64_t time_ns = 0;  // ... and when that came
};

// What one RPC was about, and where its time went. A part of the notes on its Call and its Reply, and a note
// of its own only where it became known in a later frame than theirs.
struct RpcTimes {
  uint32_t frame = 0, known_from = 0;  // `frame`: of the Reply, else of the Call
  const ConnectionNote* connection = nullptr;
  uint32_t xid = 0;
  flow::Timing timing;
  // The frames of the copies that were accepted, where these are not the first; 0: they are, or that is not
  // known.
  uint32_t call_accepted = 0, reply_accepted = 0;
  std::string name;        // "NFSv4 READ"; empty where the procedure is not known
  std::string operation;   // "READ"; empty where that is not certain
  std::string operations;  // of a COMPOUND, each followed by a space
  std::string nfs_status;  // empty where it is OK, or not known
};

struct MessageNote {
  uint32_t frame = 0, known_from = 0;
  int64_t time_ns = 0;
  const ConnectionNote* connection = nullptr;
  rdma::Side from = rdma::Side::a;
  flow::Direction direction = flow::Direction::unknown;
  std::vector<uint32_t> frames;  // those that carried it, where there are several

  // Its bytes: in the frame from `offset` on, or else in `copy`.
  bool in_frame = false;
  uint32_t offset = 0, captured = 0;
  std::vector<uint8_t> copy;
  uint32_t length = 0;  // on the wire
  uint32_t header_length = 0;

  uint32_t xid = 0, version = 0, procedure = 0;
  bool error = false;
  bool carries_rpc = false;  // an RPC message follows the header
  std::optional<rdma::Side> requester;
  std::optional<uint32_t> invalidated;
  bool unreceived = false;  // sent after the peer had asked to disconnect, and never acknowledged
  struct Procedure {
    uint32_t program = 0, version = 0, procedure = 0;
  };
  std::optional<Procedure> rpc;
  std::optional<rpcrdma::config::Found> config;  // CONF_RDMA after the header

  // The RPC message, reassembled from its chunks; -1: what follows the header is all of it.
  int64_t stream = -1;
  bool by_read = false;         // its RPC message is fetched by RDMA Reads ...
  uint32_t completed_in = 0;    // ... which end in this frame; 0: not known (yet)
  bool reads_reported = false;  // its Read chunks were reassembled, for the last time

  uint32_t call = 0, reply = 0;  // the other message's frame; 0: none
  std::optional<int64_t> latency_ns;
  std::optional<uint32_t> granted, outstanding;
  // What counted before it, and the frame that had set it; 0: none.
  struct InForce {
    uint32_t value = 0;
    history::Basis by{};
    uint32_t frame = 0;
  };
  std::optional<InForce> threshold;     // of its sender's Sends
  std::optional<InForce> invalidation;  // whether its Requester takes Send With Invalidate
  int64_t times = -1;                   // of its RPC; -1: none, or not known (yet)
};

// RDMA traffic that belongs to a chunk.
struct PlacementNote {
  uint32_t call_message = kNoMessage;  // the Call, among Notebook::messages
  uint32_t frame = 0, known_from = 0;
  const ConnectionNote* connection = nullptr;
  rdma::Side from = rdma::Side::a;
  bool request = false;  // an RDMA Read Request
  uint32_t xid = 0, call = 0;
  flow::ChunkKind kind = flow::ChunkKind::read;
  uint32_t chunk = 0, position = 0, segment = 0;
  uint32_t handle = 0, offset = 0, length = 0, segment_length = 0;
};

// A packet that was lost, and a copy of it was captured.
struct LossNote {
  const ConnectionNote* connection = nullptr;
  flow::Loss loss;
};

// A packet that was sent again, or was captured late since its first copy was lost in front of the tap.
struct RepeatNote {
  uint32_t frame = 0;
  uint32_t original = 0;  // the frame of the first copy; 0: not known
  const ConnectionNote* connection = nullptr;
  std::optional<flow::Loss> loss;  // of which it is the first packet that was sent again, where that is known
};

// A frame that acknowledged a Call or a Reply, over RoCE or InfiniBand.
struct AckNote {
  uint32_t times = 0;  // of its RPC, among Notebook::times
  bool reply = false;
};

struct FindingNote : report::KeptFinding {
  explicit FindingNote(const rules::Finding& finding);

  uint32_t frame = 0, known_from = 0;
  std::string accused, clause;  // "Responder 10.9.0.1", "RFC 8166 §3.4.6"
};

struct Notebook {
  std::deque<ConnectionNote> connections;
  std::deque<MessageNote> messages;
  std::deque<RpcNote> rpcs;
  std::deque<RpcTimes> times;
  std::deque<PlacementNote> placements;
  std::deque<FindingNote> findings;
  std::deque<LossNote> losses;
  std::deque<RepeatNote> repeats;
  std::deque<AckNote> acks;
  FrameNotes of_frame;  // by the frame that a note is about
  FrameNotes late;      // by the frame that a note became known in, where that is another
  uint32_t frames = 0;  // fed
  bool finished = false;
  std::string summary;  // what steertag summary prints; empty where it is not known

  // What is noted from here on ...
  void mark() { marked_ = {of_frame.size(), late.size(), findings.size()}; }
  // ... is taken back: it may be in pieces. Only for reading from then on.
  void take_back() {
    of_frame.cut(marked_.of_frame);
    late.cut(marked_.late);
    while (findings.size() > marked_.findings) {
      findings.pop_back();
    }
  }

  void add(Note::Kind kind, size_t index, uint32_t frame, uint32_t known_from) {
    const Note note{kind, static_cast<uint32_t>(index)};
    of_frame.add(frame, note);
    if (known_from != frame) {
      late.add(known_from, note);
    }
  }
  void add_late(Note::Kind kind, size_t index, uint32_t known_from) {
    late.add(known_from, {kind, static_cast<uint32_t>(index)});
  }
  void add_pieces(size_t message) {
    for (const uint32_t frame : messages[message].frames) {
      if (frame != messages[message].frame) {
        of_frame.add(frame, {Note::Kind::piece, static_cast<uint32_t>(message)});
      }
    }
  }

 private:
  struct {
    size_t of_frame, late, findings;
  } marked_{};
};

}  // namespace steertag::plugin
