// ConnectionFixture: the tables of one connection, fed with messages and RDMA operations that
// are written down in a line each, and what they report, in short words: "fine 1" an Access and
// the XID of the Call that it is for, "place 1:0 4+8" a placement into the first segment of
// XID 1, 4 bytes from its start, 8 bytes long, "rpc 1" an Exchange.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "history/kept_messages.h"
#include "memory/operations.h"
#include "rpc/exchanges.h"

namespace steertag::rpc {

struct ConnectionFixture : Sink {
  static constexpr Side client = Side::a, server = Side::b;

  track::Connection connection;
  // 1 KiB of payload is kept; Exchanges linger for 1000 ns.
  Common common{*this,
                {.ports = {},
                 .payload_limit = 1024,
                 .linger_ns = 1000,
                 .settle_ns = 1'000'000,
                 .for_placements = true}};
  memory::HandleDirectory directory;
  memory::AccessJudge judge{connection, directory};
  history::KeptMessages kept;
  ConnectionState state{connection, common};
  memory::Advertised& advertised = state.advertised;
  Departures departures{state};
  Exchanges exchanges{state, departures};
  memory::Operations operations{connection, *this, common.settings, advertised};
  Standing standing;
  rpcrdma::TransportHeader header;
  Message message;
  std::string said;
  std::vector<Exchange> reported;  // copies
  Stamp now{};
  uint64_t last_id = 0;

  ConnectionFixture() {
    connection.rpcrdma = true;
    connection.seen_from_start = true;
    connection.number = 1;
    advertised.judge_by(&judge);
    state.listeners.exchanges[0] = &kept;
  }

  // --- messages: make(), then chunks, then call() or reply() ---

  ConnectionFixture& make(uint32_t xid) {
    header = {};
    header.xid = xid;
    header.version = 1;
    message = {};
    message.header = &header;
    message.connection = &connection;
    message.standing = &standing;
    message.decoded.header_length = 28;
    return *this;
  }
  ConnectionFixture& read(uint32_t handle, uint64_t offset, uint32_t length, uint32_t position = 4) {
    header.chunks.reads.push_back({position, {handle, length, offset, {}}, {}});
    return *this;
  }
  ConnectionFixture& write(uint32_t handle, uint64_t offset, uint32_t length) {
    if (header.chunks.writes.empty()) {
      header.chunks.writes.add().target.clear();
    }
    rpcrdma::Segment segment;
    segment.handle = handle;
    segment.length = length;
    segment.offset = offset;
    header.chunks.writes[0].target.push_back(segment);
    return *this;
  }
  void call(Side from = client) {
    send(from, Direction::call);
    exchanges.on_call(message);
  }
  void reply(Side from = server, std::optional<uint32_t> invalidate = {}) {
    message.send_invalidate = invalidate.has_value();
    message.invalidated = invalidate.value_or(0);
    send(from, Direction::reply);
    exchanges.on_reply(message);
  }
  void done(Side from = client) {
    send(from, Direction::unknown);
    exchanges.on_done(message);
  }

  // --- RDMA ---

  uint64_t rdma(rdma::OpKind kind, Side from, const rdma::Memory& memory, uint64_t id = 0) {
    tick();
    rdma::RdmaOp op;
    op.kind = kind;
    op.from = from;
    op.id = id != 0 ? id : ++last_id;
    op.first = id == 0 || kind == rdma::OpKind::read_response;
    op.memory = memory;
    op.payload_length = memory.length;
    op.frames = {&now, 1};
    operations.on_rdma(op);
    return op.id;
  }
  // A Write by the server.
  uint64_t write_to(uint32_t handle, uint64_t offset, uint32_t length, uint64_t id = 0) {
    return rdma(rdma::OpKind::write, server, {handle, offset, length}, id);
  }
  // A Read Request of the server, and all of its data.
  void read_from(uint32_t handle, uint64_t offset, uint32_t length) {
    const uint64_t id = rdma(rdma::OpKind::read_request, server, {handle, offset, length});
    rdma(rdma::OpKind::read_response, client, {handle, offset, length}, id);
  }

  const Exchange& open(uint32_t xid, Side requester = client) {
    const Exchange* found = state.open.exchange(requester, xid);
    REQUIRE(found != nullptr);
    return *found;
  }
  uint64_t moved(uint32_t xid, size_t segment) { return open(xid).segments[segment].moved().total(); }
  std::string take() { return std::exchange(said, ""); }

  // --- Sink ---

  void on_claimed(track::Connection&) override {}
  void on_message(const Message&) override {}
  void on_incident(const Incident&) override {}
  void on_placement(const Exchange& x, const SegmentFlow& segment, const rdma::RdmaOp&, uint32_t offset,
                    uint32_t length) override {
    say("place " + std::to_string(x.xid) + ":" + std::to_string(&segment - x.segments.begin()) + " " +
        std::to_string(offset) + "+" + std::to_string(length));
  }
  void on_exchange(const Exchange& x) override {
    say("rpc " + std::to_string(x.xid));
    reported.push_back(x);
  }
  void on_access(const Access& access) override {
    static constexpr const char* kNames[] = {"fine",        "never",         "outside",  "wrong",
                                             "after_reply", "after_rescind", "forgotten"};
    say(kNames[static_cast<size_t>(access.verdict)] +
        (access.exchange != nullptr ? " " + std::to_string(access.exchange->xid) : std::string()) +
        (access.verdict != Verdict::fine ? " at " + std::to_string(access.astray) : std::string()));
  }

 private:
  void tick() {
    ++now.number;
    now.time_ns += 10;
    connection.last_frame = now;
  }
  void send(Side from, Direction direction) {
    tick();
    message.from = from;
    message.at = now;
    message.frames = {&now, 1};
    message.direction = direction;
  }
  void say(const std::string& word) { said += (said.empty() ? "" : ", ") + word; }
};

// Remembers whether the latest Access was to memory of an end that may have advertised more than is known.
struct BoundedConnection : ConnectionFixture {
  bool unsure = false;
  void on_access(const Access& access) override {
    unsure = access.unsure;
    ConnectionFixture::on_access(access);
  }
  void answer(uint32_t xid) {
    make(xid).reply();
    departures.flush(INT64_MAX);
  }
};

}  // namespace steertag::rpc
