// What was withdrawn, by handle and offset.
#include "memory/retired.h"

#include <catch2/catch.hpp>

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::memory;

TEST_CASE("of what was withdrawn the newest that holds the byte is found, else the newest of the handle") {
  RetiredSegments retired;
  Exchange over;
  SegmentFlow segment;
  const auto add = [&](uint32_t xid, uint32_t handle, uint64_t offset) {
    over.xid = xid;
    segment.target.handle = handle;
    segment.target.offset = offset;
    segment.target.length = 10;
    retired.add(over, segment);
  };
  add(1, 7, 0);
  add(2, 7, 100);
  add(3, 7, 5);
  CHECK(retired.find(7, 7)->xid == 3);
  CHECK(retired.find(7, 105)->xid == 2);
  CHECK(retired.find(7, 50)->xid == 3);
  CHECK(retired.find(8, 0) == nullptr);
  for (uint32_t i = 0; i < RetiredSegments::kMaxKept; ++i) {
    CHECK(retired.find(7, 3) != nullptr);
    add(100 + i, 9, 0);
  }
  CHECK(retired.find(7) == nullptr);
  CHECK(retired.find(9)->xid == 99 + RetiredSegments::kMaxKept);
}
