#include <catch2/catch.hpp>

#include "diff/made.h"

using namespace steertag;
using namespace steertag::diff;

TEST_CASE("latencies: of thirty RPCs on both sides, the median that is twice as long is a difference") {
  const MadeCapture fast = MadeCapture().add(30, 2 * kMs), slow = MadeCapture().add(30, 5 * kMs);
  CHECK(both(fast, slow).there ==
        "latency READ p50: 2000000 of 30 -> 5000000 of 30!\n"
        "latency READ p99: 2000000 of 30 -> 5000000 of 30!\n");
  CHECK(both(fast, slow).back ==
        "latency READ p50: 5000000 of 30 -> 2000000 of 30\n"
        "latency READ p99: 5000000 of 30 -> 2000000 of 30\n");
  const Comparison comparison = compare(fast.view(), slow.view(), {});
  CHECK(comparison.timed == 1);
  CHECK(comparison.regressions() == 2);
  CHECK(comparison.differences[0].unit == Unit::ns);
  CHECK(comparison.differences[0].seen_after->number == 3);  // the longest
  CHECK(comparison.differences[0].chance.value_or(1) < 1e-6);
}

TEST_CASE("latencies: of fewer RPCs on either side none is compared, unless that is asked for") {
  const MadeCapture many = MadeCapture().add(100, 2 * kMs), few = MadeCapture().add(29, 900 * kMs);
  CHECK(compared(many, MadeCapture(few)).find("latency") == std::string::npos);
  CHECK(compared(few, many).find("latency") == std::string::npos);
  CHECK(compare(many.view(), few.view(), {}).too_few == 1);
  CHECK(compared(many, few, {.least_rpcs = 29}).find("latency READ p50") != std::string::npos);
}

TEST_CASE("latencies: what is below the floor is no difference, whatever the factor") {
  const MadeCapture fast = MadeCapture().add(40, kMs / 10), slow = MadeCapture().add(40, kMs);
  CHECK(compared(fast, slow).empty());
  CHECK(compared(fast, slow, {.floor_ns = kMs / 2}) ==
        "latency READ p50: 100000 of 40 -> 1000000 of 40!\n"
        "latency READ p99: 100000 of 40 -> 1000000 of 40!\n");
}

TEST_CASE("latencies: the factors are those of the thresholds, each of its percentile") {
  const MadeCapture fast = MadeCapture().add(40, 10 * kMs), slow = MadeCapture().add(40, 17 * kMs);
  CHECK(compared(fast, slow).empty());
  CHECK(compared(fast, slow, {.p50 = 1.6}).find("p50") != std::string::npos);
  CHECK(compared(fast, slow, {.p50 = 1.6}).find("p99") == std::string::npos);
  CHECK(compared(fast, slow, {.p99 = 1.6}).find("p99") != std::string::npos);
  CHECK(compared(fast, slow, {.p99 = 1.8}).empty());
}

TEST_CASE("latencies: two slow RPCs are no change of p99, three are") {
  MadeCapture fast, slow;
  fast.add(60, 2 * kMs);
  slow.add(58, 2 * kMs).add(2, 900 * kMs);
  CHECK(both(fast, slow).there.empty());
  CHECK(both(fast, slow).back.empty());
  slow.add(1, 900 * kMs);
  CHECK(both(fast, slow).there == "latency READ p99: 2000000 of 60 -> 900000000 of 61!\n");
  CHECK(both(fast, slow).back == "latency READ p99: 900000000 of 61 -> 2000000 of 60\n");
  // Of 121 RPCs three are slow, and all are on one side.
  CHECK(compare(fast.view(), slow.view(), {}).differences[0].chance.value_or(0) ==
        Approx(0.25).epsilon(0.01));
}

TEST_CASE("latencies: a median that jumps between two kinds of RPCs is no change") {
  // Half are quick, half are slow; on one side a few more of the one, on the other of the other.
  MadeCapture a, b;
  a.add(26, kMs).add(24, 5 * kMs);
  b.add(24, kMs).add(26, 5 * kMs);
  CHECK(both(a, b).there.empty());
  CHECK(both(a, b).back.empty());
}

TEST_CASE("latencies: a median is no change where only half of what proves it is there") {
  // Half of the slower ones take no longer than three quarters of the faster ones.
  const MadeCapture mixed = MadeCapture().add(60, 2 * kMs).add(40, 9 * kMs);
  const MadeCapture slow = MadeCapture().add(100, 9 * kMs);
  CHECK(both(mixed, slow).there.empty());
  CHECK(both(mixed, slow).back.empty());
  // A quarter of the slower ones takes no longer than half of the faster ones.
  const MadeCapture fast = MadeCapture().add(100, 2 * kMs);
  const MadeCapture partly = MadeCapture().add(40, 2 * kMs).add(60, 9 * kMs);
  CHECK(both(fast, partly).there == "latency READ p99: 2000000 of 100 -> 9000000 of 100!\n");
  CHECK(both(fast, partly).back == "latency READ p99: 9000000 of 100 -> 2000000 of 100\n");
}

TEST_CASE("latencies: RPCs that overlap all the way are noise, apart they are not") {
  MadeCapture a, wide, apart;
  a.add(100, kMs, "READ", 20 * kMs);
  wide.add(100, 2 * kMs, "READ", 30 * kMs);
  apart.add(100, 25 * kMs, "READ", 20 * kMs);
  CHECK(compared(a, wide).empty());
  CHECK(compared(a, apart).find("latency READ p50") != std::string::npos);
}
