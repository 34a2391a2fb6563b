// Recorder: an observer that keeps what it heard, in a form that tests can
// compare: Exchanges with the frames they rest on, messages, connections.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "event.h"

namespace steertag::support {

struct SeenSegment {
  flow::ChunkKind kind{};
  uint32_t handle = 0, length = 0;
  uint64_t offset = 0;
  uint64_t moved = 0;
  uint32_t ops = 0;
  std::optional<uint32_t> returned;
  std::set<uint64_t> frames;
};

struct SeenExchange {
  uint32_t conn = 0, xid = 0;
  std::string client;  // address, port and QPN of the Requester's end
  bool backward = false, complete = false;
  flow::Status status{};
  std::optional<uint64_t> call, reply;  // frame numbers
  std::optional<uint32_t> procedure;
  std::optional<uint32_t> invalidated;
  std::vector<SeenSegment> segments;
};

struct SeenMessage {
  uint32_t conn = 0, xid = 0;
  uint64_t frame = 0;
  flow::Direction direction{};
  std::vector<uint8_t> bytes;
};

class Recorder final : public Observer {
 public:
  std::vector<SeenExchange> exchanges;
  std::vector<SeenMessage> messages;
  std::vector<uint32_t> named;
  size_t closed = 0;
  bool keep_bytes = false;

  void on(const Event& event) override {
    if (const auto* e = std::get_if<ExchangeDone>(&event)) {
      add(e->exchange);
    } else if (const auto* m = std::get_if<MessageSeen>(&event)) {
      SeenMessage& seen = messages.emplace_back();
      seen = {m->message.connection->number,
              m->message.header->xid,
              m->message.at.number,
              m->message.direction,
              {}};
      if (keep_bytes) {
        seen.bytes.assign(m->message.bytes.begin(), m->message.bytes.end());
      }
    } else if (const auto* n = std::get_if<ConnectionNamed>(&event)) {
      named.push_back(n->connection.number);
    } else if (std::holds_alternative<ConnectionClosed>(event)) {
      ++closed;
    }
  }

 private:
  void add(const flow::Exchange& x) {
    SeenExchange& seen = exchanges.emplace_back();
    const track::End& end = x.connection->end(x.requester);
    seen.conn = x.connection->number;
    seen.xid = x.xid;
    seen.client = end.address.text() + ":" + std::to_string(end.port.value_or(0)) + "/" +
                  std::to_string(end.qpn.value_or(0));
    seen.backward = x.backward;
    seen.complete = x.complete;
    seen.status = x.status;
    if (x.call) {
      seen.call = x.call->number;
    }
    if (x.reply) {
      seen.reply = x.reply->number;
    }
    if (x.procedure) {
      seen.procedure = x.procedure->procedure;
    }
    seen.invalidated = x.invalidated;
    for (const flow::SegmentFlow& s : x.segments) {
      SeenSegment& segment = seen.segments.emplace_back();
      segment = {
          s.kind, s.target.handle, s.target.length, s.target.offset, s.moved().total(), s.ops(), s.returned,
          {}};
      for (const Stamp& frame : s.frames()) {
        segment.frames.insert(frame.number);
      }
    }
  }
};

}  // namespace steertag::support
