// The bound of a RangeSet: one below, at and above.
#include <catch2/catch.hpp>

#include "base/range_set.h"

using namespace steertag;
using base::RangeSet;

TEST_CASE("bounds: intervals of a RangeSet") {
  RangeSet set;
  for (uint64_t i = 1; i < RangeSet::kMaxIntervals; ++i) {
    REQUIRE(set.add(10 * i, 1) == 1);
  }
  CHECK(set.add(10 * RangeSet::kMaxIntervals, 1) == 1);
  const size_t bytes = set.bytes();
  // One more, behind all others and before them: refused, and nothing else has changed.
  CHECK(set.add(10 * RangeSet::kMaxIntervals + 10, 1) == 0);
  CHECK(set.add(1, 1) == 0);
  CHECK(set.total() == RangeSet::kMaxIntervals);
  CHECK(set.intervals().size() == RangeSet::kMaxIntervals);
  CHECK(set.bytes() == bytes);
  // What touches one that is there needs no room, and what joins two makes some.
  CHECK(set.add(10, 3) == 2);
  CHECK(set.add(12, 9) == 7);
  CHECK(set.add(1, 1) == 1);
  CHECK(set.intervals().size() == RangeSet::kMaxIntervals);
}
