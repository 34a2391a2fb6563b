#include "stats/load.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "rpcrdma/header.h"
#include "stats/judge.h"
#include "stats/made.h"

using namespace steertag;
using namespace steertag::stats;

TEST_CASE("Loads: what a connection's RPCs, Calls and marks add up to") {
  track::Connection connection = made_connection();
  connection.ends[0].credits = {.granted_min = 4, .granted_max = 8, .in_flight_max = 5, .at_limit_ns = 7};
  connection.ends[1].rtt_ns = 11;
  connection.ends[1].retransmissions = 3;
  Loads loads;
  MadeRpc made(connection, 5);
  made.exchange.call_inline_length = 100;
  made.exchange.reply_inline_length = 30;
  made.exchange.retransmissions = 2;
  loads.note(made);
  MadeRpc backward(connection, 7);
  backward.exchange.requester = rdma::Side::b;
  backward.exchange.backward = true;
  backward.exchange.call_inline_length = 1;
  backward.exchange.naks = 3;
  loads.note(backward);
  flow::Message call;
  rpcrdma::TransportHeader header;
  header.credit = 48;
  call.connection = &connection;
  call.header = &header;
  call.direction = flow::Direction::call;
  loads.note(call);
  header.credit = 60;
  call.direction = flow::Direction::reply;  // grants, and asks for nothing
  loads.note(call);
  loads.note(connection, {.from = rdma::Side::b, .at = {.number = 33}});
  loads.note(connection, {.from = rdma::Side::a, .at = {.number = 34}});
  loads.close(connection);

  const Load& load = *loads.in_order().at(0);
  CHECK(load.client.bytes == 100);
  CHECK(load.server.bytes == 31);
  CHECK(load.credits.granted_max == 8);
  CHECK(load.requested_max == 48);
  CHECK(load.server.rtt_ns == 11);
  CHECK(load.server.retransmitted == 3);
  CHECK(load.first_mark->number == 33);
  CHECK(load.noisiest.at.number == 7);
  CHECK(loads.rest() == nullptr);

  connection.number = 2;  // nothing of the one before
  loads.close(connection);
  CHECK(loads.in_order().at(1)->client.bytes == 0);
  CHECK(!loads.in_order().at(1)->first_mark);

  connection.rpcrdma = false;
  loads.close(connection);
  CHECK(loads.in_order().size() == 2);
}

// A client that waited for 10 s asks for 48 credits and is granted 4; its one RPC took 1 s of that.
TEST_CASE("lack of credits, where the client asks for more, is remarked from a fiftieth of all RPC time on") {
  const auto remarked = [](int64_t at_limit_ns) {
    track::Connection connection = made_connection();
    connection.ends[0].credits = {
        .granted_min = 4, .granted_max = 4, .in_flight_max = 4, .at_limit_ns = at_limit_ns};
    rpcrdma::TransportHeader header;
    header.credit = 48;
    flow::Message call;
    call.connection = &connection;
    call.header = &header;
    call.direction = flow::Direction::call;
    Loads loads;
    loads.note(call);
    loads.close(connection);
    Topics topics;
    topics.add(MadeRpc(connection, 1).took(kSecond));
    const std::vector<Remark> remarks = judge({topics, loads, Totals{}});
    return std::any_of(remarks.begin(), remarks.end(),
                       [](const Remark& remark) { return remark.kind == Standout::credits; });
  };
  CHECK(remarked(kSecond / 50));
  CHECK_FALSE(remarked(kSecond / 50 - 1));
}

TEST_CASE("bounds: loads, and those of further connections are added up") {
  const auto fill = [](size_t count) {
    Loads loads;
    track::Connection connection = made_connection();
    connection.ends[0].naks = 2;
    for (size_t i = count; i > 0; --i) {
      connection.number = static_cast<uint32_t>(i);
      MadeRpc slow(connection, i);
      slow.exchange.slowdown.cnps = 1;
      loads.note(slow);
      loads.close(connection);
    }
    return loads;
  };
  for (const size_t count : {Loads::kMaxLoads - 1, Loads::kMaxLoads, Loads::kMaxLoads + 1}) {
    Loads loads = fill(count);
    CHECK(loads.in_order().size() == std::min(count, Loads::kMaxLoads));
    CHECK((loads.rest() != nullptr) == (count > Loads::kMaxLoads));
    loads.take_over(fill(Loads::kMaxLoads + 1), same_number);
    REQUIRE(loads.rest() != nullptr);
    CHECK(loads.rest()->connections == count + 1);
    CHECK(loads.rest()->client.naks == 2 * (count + 1));
    CHECK(loads.rest()->congested == count + 1);
  }
}
