// What is said of servers that take the same time for everything, and of those with much to do at a time.
#include <catch2/catch.hpp>
#include <string>

#include "report/made.h"
#include "report/text_stats.h"
#include "stats/made.h"

using namespace steertag;
using namespace steertag::report;
using stats::kMs;
using stats::kUs;
using stats::MadeRpc;

namespace {

constexpr std::array kOperations = {"GETATTR", "LOOKUP", "READ", "WRITE", "REMOVE", "NULL"};

// So many operations, ten RPCs each, the first of which takes that long, and each of the others a little
// more.
std::string remarks(size_t operations, int64_t least_ns, int64_t more_ns, int64_t way_ns,
                    uint32_t at_a_time = 1) {
  track::Connection connection = stats::made_connection();
  connection.ends[1].rtt_ns = way_ns;
  connection.ends[0].credits.in_flight_max = at_a_time;
  stats::Topics topics;
  stats::Loads loads;
  stats::Groups groups({.op = true});
  for (uint64_t i = 0; i < 10 * operations; ++i) {
    MadeRpc made(connection, 1 + 2 * i, 0, kOperations.at(i % operations));
    made.took(least_ns + static_cast<int64_t>(i) * more_ns);
    topics.add(made);
    groups.add(made);
  }
  loads.close(connection);
  TextStyle style;
  style.width = 1000;
  return printed([&](Buffer& out) { text_remarks(out, {topics, loads, groups.all()}, style); });
}

}  // namespace

TEST_CASE("remarks: a server that takes the same time for everything") {
  CHECK(remarks(6, 40 * kMs, 100 * kUs, 180 * kUs) ==
        "* Every operation at 10.9.0.1 takes 40.0 ms or more, even NFSv3 NULL: that is not the file system, "
        "but "
        "something that each RPC passes (the round trip to the server is 180 us); it is true of 60 RPCs of 6 "
        "operations, such as the NFSv3 NULL in frame 119.\n");
  // The attributes of a file may have to be looked for.
  CHECK(remarks(5, 40 * kMs, 100 * kUs, 180 * kUs)
            .starts_with(
                "* Every operation at 10.9.0.1 takes 40.0 ms or more, even NFSv3 GETATTR: that is hardly the "
                "file system, "));
  // Too few, too different, too short to speak of, or the way.
  CHECK(remarks(3, 40 * kMs, 100 * kUs, 180 * kUs).starts_with("* The server 10.9.0.1 is slow: "));
  CHECK(remarks(6, 15 * kMs, kMs, 180 * kUs).starts_with("* The server 10.9.0.1 is slow: "));
  CHECK(remarks(6, 9 * kMs, 0, 180 * kUs).starts_with("* Nothing stands out"));
  CHECK(remarks(6, 40 * kMs, 100 * kUs, 39 * kMs).starts_with("* The way to the server 10.9.0.1 is long: "));
}

TEST_CASE("remarks: a server with many Calls at a time") {
  CHECK(
      remarks(1, 40 * kMs, 100 * kUs, 180 * kUs, 48)
          .starts_with(
              "* The server 10.9.0.1 is busy, with up to 48 Calls at a time: 100 % of NFSv3 GETATTR time is "
              "its own, 40.5 ms an RPC, "));
  CHECK(remarks(1, 40 * kMs, 100 * kUs, 180 * kUs, 7).starts_with("* The server 10.9.0.1 is slow: "));
  CHECK(remarks(1, 480 * kMs - 1, 0, 0, 48).starts_with("* The server 10.9.0.1 is busy, "));
  CHECK(remarks(1, 480 * kMs, 0, 0, 48).starts_with("* The server 10.9.0.1 is slow, "));
  CHECK(remarks(1, 480 * kMs, 100 * kUs, 180 * kUs, 48)
            .starts_with("* The server 10.9.0.1 is slow, with up to 48 Calls at a time: "));
}
