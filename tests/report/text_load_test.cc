// The paragraph of a connection, in the text of stats.
#include <catch2/catch.hpp>
#include <string>

#include "report/made.h"
#include "report/text_stats.h"
#include "stats/made.h"

using namespace steertag;
using namespace steertag::report;
using stats::kSecond;
using stats::kUs;

TEST_CASE("loads: a paragraph a connection, of the first of them") {
  track::Connection connection = stats::made_connection();
  connection.ends[0].credits = {
      .granted_min = 4, .granted_max = 8, .in_flight_max = 5, .at_limit_ns = 2 * kSecond};
  connection.ends[0].rtt_ns = 12 * kUs;
  connection.ends[1].rtt_ns = 480 * kUs;
  connection.ends[0].retransmissions = 7;
  stats::Loads loads;
  waits(loads, connection, 5 * kSecond / 2);
  loads.close(connection);
  const auto text = [&] {
    TextStyle style;
    return printed([&](Buffer& out) { text_loads(out, loads, style); });
  };
  CHECK(text() ==
        "#1  roce2 10.9.0.2 -> 10.9.0.1; 4 to 8 credits granted, at most 5 Calls at a\n"
        "    time, all credits in use for 2.00 s (40 % of the time with a Call under\n"
        "    way); round trip 12.0 us to the client, 480 us to the server; sent again 7\n"
        "    from the client, 0 from the server\n");
  for (size_t i = 1; i < kMostLoadLines + 2; ++i) {
    connection.number = static_cast<uint32_t>(i + 1);
    loads.close(connection);
  }
  CHECK(text().ends_with("and 2 further connections; --format jsonl tells of each\n"));
}

TEST_CASE("loads: on which side of the tap the time of RPCs went by") {
  track::Connection connection = stats::made_connection();
  stats::Loads loads;
  stats::MadeRpc made(connection, 1);
  made.took(1000 * kUs);
  made.exchange.timing.spent_ns = {900 * kUs, 40 * kUs, 4 * kUs, 56 * kUs};
  loads.note(made);
  made.exchange.timing.spent_ns = {0, -5 * kUs, 0, 0};  // more was refused than the phase is long
  loads.note(made);
  made.exchange.requester = rdma::Side::b;  // a callback
  made.exchange.timing.spent_ns = {0, 5000 * kUs, 0, 0};
  loads.note(made);
  loads.close(connection);
  const auto text = [&] {
    TextStyle style;
    style.width = 1000;
    return printed([&](Buffer& out) { text_loads(out, loads, style); });
  };
  CHECK(text().find(
            "RPC time: 90 % on the server's side of the tap, 4 % on the client's, 6 % on moving data\n") !=
        std::string::npos);
}
