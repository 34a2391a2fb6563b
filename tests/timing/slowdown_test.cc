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
  const Slowdown before = slowdown_of(connection, 32);
  CHECK(before == Slowdown{.rnr_naks = 3, .zero_windows = 16, .ecn_ce = 8, .cnps = 4, .pauses = 32});
  CHECK(since(before, slowdown_of(connection, 32)) == Slowdown{});
  ++connection.ends[0].ecn_ce;
  CHECK(since(before, slowdown_of(connection, 34)) == Slowdown{.ecn_ce = 1, .pauses = 2});
  CHECK(Slowdown{.pauses = 1}.congested());
  CHECK_FALSE(Slowdown{.rnr_naks = 1, .zero_windows = 1}.congested());
}

TEST_CASE_METHOD(ConnectionFixture, "slowdown: nothing is counted where nobody reports it") {
  make(1).call();
  ++connection.ends[0].cnps;
  ++common.pauses;
  make(1).reply();
  departures.flush(INT64_MAX);
  CHECK(reported[0].slowdown == Slowdown{});
}
