// The time in which a Requester waits for a Reply.
#include "stats/busy.h"

#include <catch2/catch.hpp>
#include <cstdint>

using namespace steertag::stats;

TEST_CASE("Busy: from the first Call until none is without a Reply") {
  Busy busy;
  CHECK(busy.total_ns(9) == 0);
  busy.call(1, 10);
  busy.call(2, 12);
  busy.call(1, 13);  // sent again
  busy.reply(1, 15);
  CHECK(busy.total_ns(18) == 8);
  busy.reply(3, 16);  // to none of them
  busy.reply(2, 20);
  CHECK(busy.total_ns(90) == 10);
  busy.reply(2, 30);
  busy.call(4, 40);
  CHECK(busy.total_ns(50) == 20);
  CHECK(busy.total_ns(30) == 10);  // clocks may go back
  busy.reply(4, 35);
  CHECK(busy.total_ns(60) == 10);
}

TEST_CASE("Busy: times as far apart as a capture can say they are add up to no more than there is") {
  constexpr int64_t kLast = int64_t{0xFFFFFFFF} * 1'000'000'000;  // of a pcap
  Busy busy;
  for (int i = 0; i < 5; ++i) {
    busy.call(1, 0);
    busy.reply(1, kLast);
  }
  CHECK(busy.total_ns(kLast) == INT64_MAX);
  busy.call(2, INT64_MIN);
  CHECK(busy.total_ns(INT64_MAX) == INT64_MAX);
}

TEST_CASE("bounds: Calls that are told apart") {
  for (const size_t count : {Busy::kMostOpen - 1, Busy::kMostOpen, Busy::kMostOpen + 1}) {
    Busy busy;
    for (uint32_t xid = 1; xid <= count; ++xid) {
      busy.call(xid, 0);
    }
    for (uint32_t xid = 1; xid < count; ++xid) {
      busy.reply(xid, 10);
    }
    CHECK(busy.total_ns(20) == (count <= Busy::kMostOpen ? 20 : 10));
    busy.reply(static_cast<uint32_t>(count), 30);
    CHECK(busy.total_ns(40) == (count <= Busy::kMostOpen ? 30 : 10));
  }
}
