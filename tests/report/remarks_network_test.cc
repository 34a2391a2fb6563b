// What is said of a network that loses, breaks, and reorders.
#include <catch2/catch.hpp>
#include <string>

#include "report/made.h"
#include "report/text_stats.h"
#include "stats/made.h"

using namespace steertag;
using namespace steertag::report;
using stats::kMs;
using stats::kSecond;
using stats::MadeRpc;

namespace {

struct Network {
  track::Connection connection = stats::made_connection(2);
  stats::Topics topics;
  stats::Loads loads;
  stats::Groups groups{{.op = true}};

  void add(const MadeRpc& made) {
    topics.add(made);
    groups.add(made);
    loads.note(made.exchange);
  }
  stats::Load load() {
    loads.close(connection);
    return *loads.in_order().at(0);
  }
  std::string text() const {
    TextStyle style;
    style.width = 1000;
    return printed([&](Buffer& out) { text_remarks(out, {topics, loads, groups.all()}, style); });
  }
};

// Of a connection of which this is known.
std::string said(const timing::Transit& transit, const track::Connection& connection) {
  Network network;
  network.connection = connection;
  network.add(MadeRpc(network.connection, 1).took(kMs / 5));
  network.loads.note(network.connection, transit);
  network.loads.close(network.connection);
  return network.text();
}

// A piece that came late: behind what was seen at `since_ns`, or again.
void late(timing::Transit& transit, rdma::Side from, uint64_t frame, int64_t at_ns, int64_t since_ns,
          bool again, uint32_t tap = 0) {
  rdma::Late one;
  one.from = from;
  one.begin = 100;
  one.again = again;
  one.since = Stamp{.number = 295, .time_ns = since_ns};
  one.at = {.number = frame, .tap = tap, .time_ns = at_ns};
  transit.on_late(one);
}

}  // namespace

TEST_CASE("remarks: an outage") {
  track::Connection connection = stats::made_connection(2);
  const auto text = [&](int times, int64_t step_ns) {
    timing::Transit transit(connection);
    for (int i = 1; i <= times; ++i) {
      late(transit, rdma::Side::b, 300 + static_cast<uint64_t>(i), i * step_ns, 0, true);
    }
    return said(transit, connection);
  };
  CHECK(text(3, kSecond) ==
        "* For 3.00 s, from frame 295 on, nothing got through on connection #2: 10.9.0.1 sent the same 3 "
        "times again, "
        "and 10.9.0.2 did not acknowledge it.\n");
  CHECK(text(2, kSecond).starts_with("* Nothing stands out"));
  CHECK(text(3, kSecond / 4).starts_with("* Nothing stands out"));
}

TEST_CASE("remarks: packets that overtook others") {
  track::Connection connection = stats::made_connection(2);
  connection.ends[1].rtt_ns = 100'000;
  const auto text = [&](uint64_t times, uint32_t tap) {
    timing::Transit transit(connection);
    for (uint64_t i = 0; i < times; ++i) {
      late(transit, rdma::Side::a, 300 + i, 1000, 0, false, tap);
    }
    return said(transit, connection);
  };
  CHECK(text(3, 0) ==
        "* The network changed the order of packets on connection #2: 3 of 10.9.0.2 and 0 of 10.9.0.1 came "
        "behind "
        "others, the first in frame 300.\n");
  CHECK(text(2, 0).starts_with("* Nothing stands out"));
  // Seen by another tap than what follows it.
  CHECK(text(3, 1).starts_with("* Nothing stands out"));
}

TEST_CASE("remarks: times are lower bounds where Calls may have been lost before the tap") {
  track::Connection connection = stats::made_connection(2);
  const auto text = [&](rdma::Side from) {
    timing::Transit transit(connection);
    late(transit, from, 300, kMs, 0, false);
    return said(transit, connection);
  };
  CHECK(
      text(rdma::Side::a) ==
      "* Times are at least what they seem: on connection #2 1 packet of 10.9.0.2 was lost or held up before "
      "the tap, "
      "as frame 300 was the first to show; a Call that was lost there counts from when it was sent again.\n");
  CHECK(text(rdma::Side::b).starts_with("* Nothing stands out"));
}

TEST_CASE("remarks: what is to be known of all others is said in any case, once") {
  Network network;
  track::Connection connection = stats::made_connection();
  timing::Transit transit(connection);
  late(transit, rdma::Side::a, 300, kMs, 0, false);
  for (uint32_t number = 1; number <= kMostRemarks + 1; ++number) {
    connection.number = number;
    connection.ends[0].rnr_naks = 9;
    network.loads.note(connection, transit);
    network.loads.close(connection);
  }
  const std::string text = network.text();
  CHECK(text.find("* And 1 thing of less weight.\n* Times are at least what they seem: on connection #1 ") !=
        std::string::npos);
  CHECK(text.ends_with("; the same is true of 10 other connections.\n"));
}

TEST_CASE("remarks: a client that connected again") {
  Network network;
  network.add(MadeRpc(network.connection, 358, 60 * kSecond, "LOOKUP").took(kMs).again(2, 293, 2 * kSecond));
  network.add(MadeRpc(network.connection, 360, 60 * kSecond, "LOOKUP").took(kMs).again(2, 295, 60 * kSecond));
  CHECK(network.load().taken_over == 2);
  CHECK(network.text().find(
            "* 10.9.0.2 connected to 10.9.0.1 again (#2 after #1), and sent 2 Calls again there, up to "
            "60.0 s after it was sent first: the one in frame 360.\n") != std::string::npos);
}

TEST_CASE("Loads: a share's connections get the numbers of the whole, also the one before") {
  Network network;
  network.add(MadeRpc(network.connection, 360, 60 * kSecond, "LOOKUP").took(kMs).again(2, 295, 60 * kSecond));
  network.load();
  stats::Loads whole;
  whole.take_over(network.loads, [](track::ConnectionNumber number) {
    return track::ConnectionNumber(uint32_t{number} + 10);
  });
  const stats::Load& load = *whole.in_order().at(0);
  CHECK(load.number == 12u);
  CHECK(load.taken_from == 11u);
  CHECK(load.latest.connection == 12u);
}
