// What is added up of shares of one capture, and of several captures.
#include <catch2/catch.hpp>

#include "analyzer.h"

namespace steertag {
namespace {

Counters counters(uint64_t some) {
  Counters made;
  made.frames = some + 1;
  made.messages = some + 2;
  made.exchanges = some + 3;
  made.connections = some + 4;
  made.lost = some + 5;
  made.dropped = some + 6;
  made.pauses = some + 7;
  made.fragments_dropped = some + 8;
  made.checksum_errors = some + 9;
  made.given_up = some + 10;
  return made;
}

TEST_CASE("counters: of several captures everything is added up") {
  Counters sum = counters(100);
  sum.add_capture(counters(1000));
  CHECK(sum.frames == 1102);
  CHECK(sum.messages == 1104);
  CHECK(sum.exchanges == 1106);
  CHECK(sum.connections == 1108);
  CHECK(sum.lost == 1110);
  CHECK(sum.dropped == 1112);
  CHECK(sum.pauses == 1114);
  CHECK(sum.fragments_dropped == 1116);
  CHECK(sum.checksum_errors == 1118);
  CHECK(sum.given_up == 1120);
}

TEST_CASE(
    "counters: shares of one capture each count all of its pause frames, and the frames are counted "
    "elsewhere") {
  Counters sum = counters(100);
  Counters share = counters(1000);
  sum.add_share(share);
  CHECK(sum.frames == 101);
  CHECK(sum.messages == 1104);
  CHECK(sum.exchanges == 1106);
  CHECK(sum.connections == 1108);
  CHECK(sum.lost == 1110);
  CHECK(sum.dropped == 106);
  CHECK(sum.pauses == 1007);
  CHECK(sum.fragments_dropped == 108);
  CHECK(sum.checksum_errors == 1118);
  CHECK(sum.given_up == 1120);
  share.pauses = 3;
  sum.add_share(share);
  CHECK(sum.pauses == 1007);
}

}  // namespace
}  // namespace steertag
