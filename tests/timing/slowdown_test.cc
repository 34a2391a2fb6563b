#include "flow/slowdown.h"

#include <catch2/catch.hpp>

#include "support/connection_fixture.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::rpc;

TEST_CASE("slowdown: both ends together, and what came in between") {
  track::Connection connection;
  connection.ends[0].rnr_naks = 1;
  connection.ends[1].rnr_naks = 2;
  connection.ends[0].cnps = 4;
  connection.ends[1].ecn_ce = 8;
  connection.ends[1].zero_windows = 16;
  Pauses pauses;
  const auto pause = [&](uint16_t quanta, int64_t at_ns) {
    pauses.note({.from = {}, .classes = 8, .quanta = {0, 0, 0, quanta}}, at_ns);
  };
  pause(10, 0);
  pause(0, 2000);  // goes on
  const Slowdown before = slowdown_of(connection, pauses);
  CHECK(before ==
        Slowdown{.rnr_naks = 3, .zero_windows = 16, .ecn_ce = 8, .cnps = 4, .pauses = 1, .stopped_ns = 2000});
  CHECK(since(before, slowdown_of(connection, pauses)) == Slowdown{});
  ++connection.ends[0].ecn_ce;
  pause(100, 10'000);
  pause(100, 20'000);
  CHECK(since(before, slowdown_of(connection, pauses)) ==
        Slowdown{.ecn_ce = 1, .pauses = 2, .stopped_ns = 10'000 + 100 * Pauses::kQuantumNs});
  CHECK(Slowdown{.cnps = 1}.marked());
  CHECK_FALSE(Slowdown{.rnr_naks = 1, .zero_windows = 1, .pauses = 1}.marked());
}

TEST_CASE("slowdown: pauses of a priority that no packet of a connection has stop nothing of it") {
  Pauses pauses;
  pauses.note({.from = {}, .classes = 8, .quanta = {0, 0, 0, 100}}, 0);
  track::Connection connection;
  const auto seen = [&](uint8_t priority) {
    connection.ends[0].traffic_class = {};
    link::Packet packet;
    packet.priority = priority;
    connection.ends[0].traffic_class.note(packet);
    connection.ends[1] = connection.ends[0];
    return pauses.stopped_ns(connection);
  };
  CHECK(seen(5) == 0);
  CHECK(seen(3) == 100 * Pauses::kQuantumNs);
  CHECK(seen(link::Packet::kNoPriority) == 100 * Pauses::kQuantumNs);  // whose is not known
}

TEST_CASE_METHOD(ConnectionFixture, "slowdown: nothing is counted where nobody reports it") {
  make(1).call();
  ++connection.ends[0].cnps;
  common.pauses.note({.from = {}, .classes = 1, .quanta = {1}}, 0);
  make(1).reply();
  departures.flush(INT64_MAX);
  CHECK(reported[0].slowdown == Slowdown{});
}
