// Dialogue: Sends of one connection, as bytes, and what is reported of them.
#include "rpc/dialogue.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "history/history.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::memory;
using namespace steertag::rpc;
using namespace steertag::history;

namespace {

constexpr Side kClient = Side::a, kServer = Side::b;

// Says "claimed", "call 1", "reply 1", "incident", "rpc 1 known" or, where what happened is in doubt, "rpc 1
// doubt".
struct Spoken final : Sink {
  explicit Spoken(size_t memory = SIZE_MAX)
      : common{*this, {{}, 1024, 1000, 1'000'000, true, false, memory}} {
    state.listeners.messages = &history;
    state.listeners.ask_for_incidents = true;
  }

  track::Connection connection;
  std::string said;
  Common common;
  history::Shared shared;
  ConnectionState state{connection, common};
  History history{state, shared};
  Departures departures{state};
  Exchanges exchanges{state, departures};
  Negotiations negotiations{state};
  Dialogue dialogue{state, exchanges, departures, negotiations};
  Stamp now;

  static void word(std::vector<uint8_t>& into, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      into.push_back(static_cast<uint8_t>(value >> shift));
    }
  }
  void send(Side from, const std::vector<uint8_t>& bytes) {
    ++now.number;
    now.time_ns += 10;
    connection.last_frame = now;
    dialogue.on_send({from, bytes, static_cast<uint32_t>(bytes.size()), {&now, 1}, {}});
  }
  static std::vector<uint8_t> header(uint32_t xid, uint32_t segments = 0) {
    std::vector<uint8_t> bytes;
    for (const uint32_t value : {xid, 1u, 32u, 0u, 0u}) {
      word(bytes, value);
    }
    word(bytes, segments != 0 ? 1 : 0);
    if (segments != 0) {
      word(bytes, segments);
      for (uint32_t i = 0; i < segments; ++i) {
        for (const uint32_t value : {0x700 + i, 64u, 0u, i * 64}) {
          word(bytes, value);
        }
      }
      word(bytes, 0);
    }
    word(bytes, 0);
    return bytes;
  }
  void call(uint32_t xid, uint32_t segments = 0) {
    std::vector<uint8_t> bytes = header(xid, segments);
    for (const uint32_t value : {xid, 0u, 2u, 100003u, 3u, 1u, 0u, 0u, 0u, 0u}) {
      word(bytes, value);
    }
    send(kClient, bytes);
  }
  void reply(uint32_t xid) {
    std::vector<uint8_t> bytes = header(xid);
    for (const uint32_t value : {xid, 1u, 0u, 0u, 0u, 0u}) {
      word(bytes, value);
    }
    send(kServer, bytes);
  }
  std::string take() { return std::exchange(said, ""); }
  void say(const std::string& words) { said += (said.empty() ? "" : ", ") + words; }

  void on_claimed(track::Connection&) override { say("claimed"); }
  void on_message(const Message& message) override {
    say((message.direction == Direction::call    ? "call "
         : message.direction == Direction::reply ? "reply "
                                                 : "message ") +
        std::to_string(message.header->xid));
  }
  void on_placement(const Exchange&, const SegmentFlow&, const rdma::RdmaOp&, uint32_t, uint32_t) override {}
  void on_exchange(const Exchange& x) override {
    say("rpc " + std::to_string(x.xid) + (x.complete ? " known" : " doubt"));
  }
  void on_access(const Access&) override {}
  void on_incident(const Incident&) override { say("incident"); }
};

}  // namespace

TEST_CASE("a connection is believed at the second message that fits, and then all are reported in order") {
  Spoken s;
  s.call(1);
  CHECK(s.take().empty());
  CHECK(s.dialogue.state() == Claim::State::open);
  s.reply(1);
  CHECK(s.take() == "claimed, call 1, reply 1");
  CHECK(s.connection.rpcrdma);
  s.call(2);
  CHECK(s.take() == "call 2");
}

TEST_CASE("on the port of NFS/RDMA one message is enough") {
  Spoken s;
  s.dialogue.trust(Claim::Trust::port);
  s.call(1);
  CHECK(s.take() == "claimed, call 1");
}

TEST_CASE("what does not fit ends what was hoped for, and a connection of such things is not looked at") {
  Spoken s;
  const std::vector<uint8_t> junk(64, 0xEE);
  s.call(1);
  s.send(kServer, junk);
  s.reply(1);
  CHECK(s.take().empty());  // the first no longer counts
  for (uint32_t i = 0; i < Claim::kMaxMisfits; ++i) {
    s.send(kServer, junk);
  }
  CHECK(s.dialogue.state() == Claim::State::refused);
  CHECK(s.take().empty());
}

TEST_CASE("incidents wait with the messages, and are reported where they belong among them") {
  Spoken s;
  s.dialogue.report({.connection = &s.connection, .what = rdma::Anomaly{}});
  s.call(1);
  s.dialogue.report({.connection = &s.connection, .what = rdma::Anomaly{}});
  s.reply(1);
  CHECK(s.take() == "claimed, incident, call 1, incident, reply 1");
}

TEST_CASE("an empty Send is no message") {
  Spoken s;
  s.dialogue.trust(Claim::Trust::port);
  s.call(1);
  s.take();
  s.send(kClient, {});
  CHECK(s.take().empty());
}

TEST_CASE("what never arrived is shown and part of no RPC, and an empty Send is no message") {
  Spoken s;
  s.dialogue.trust(Claim::Trust::port);
  s.call(1);
  s.take();
  const std::vector<uint8_t> late = Spoken::header(2);
  s.dialogue.on_unreceived({kClient, late, static_cast<uint32_t>(late.size()), {&s.now, 1}, {}});
  CHECK(s.take() == "message 2");
  s.dialogue.on_unreceived({kClient, {}, 0, {&s.now, 1}, {}});
  CHECK(s.take().empty());
  s.reply(1);
  CHECK(s.take() == "reply 1");
}

TEST_CASE("a gap between Call and Reply casts doubt on the RPC, one before it does not") {
  Spoken s;
  s.connection.seen_from_start = true;
  s.call(1);
  s.reply(1);
  s.dialogue.doubt(kServer, s.now);
  s.now.time_ns += 1'000'000'000;
  s.call(2);
  s.reply(2);
  s.take();
  s.departures.flush(INT64_MAX);
  CHECK(s.take() == "rpc 1 doubt, rpc 2 known");
  s.call(3);
  s.dialogue.doubt(kServer, s.now);
  s.reply(3);
  s.take();
  s.departures.flush(INT64_MAX);
  CHECK(s.take() == "rpc 3 doubt");
}

TEST_CASE("beyond the budget the oldest open RPC of the connection is reported, and in doubt") {
  Spoken s(300'000);
  s.connection.seen_from_start = true;
  for (uint32_t xid = 1; xid <= 40; ++xid) {
    s.call(xid, 100);
    if (xid == 2) {
      CHECK(s.take() == "claimed, call 1, call 2");
    }
  }
  const std::string said = s.take();
  CHECK(said.find("rpc 1 doubt") != std::string::npos);
  CHECK(said.find("rpc 40") == std::string::npos);
  CHECK(s.departures.any(Departures::Early::open));
  CHECK(s.exchanges.reported_early());
  CHECK_FALSE(s.exchanges.reported_early());  // asked once
  CHECK(s.common.budget.given_up() != 0);
}

TEST_CASE("for want of memory the older half of the open RPCs is reported, and what lingers") {
  Spoken s;
  s.connection.seen_from_start = true;
  for (uint32_t xid = 1; xid <= 5; ++xid) {
    s.call(xid);
  }
  s.reply(5);
  s.take();
  s.departures.report_early(Departures::Early::open);
  CHECK(s.take() == "rpc 1 doubt, rpc 2 doubt");
  s.departures.report_early(Departures::Early::lingering);
  CHECK(s.take() == "rpc 5 doubt");
  CHECK(s.departures.any(Departures::Early::open));
  CHECK_FALSE(s.departures.any(Departures::Early::lingering));
  CHECK(s.common.budget.given_up() == 3);
}
