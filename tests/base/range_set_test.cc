#include "base/range_set.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace steertag;

TEST_CASE("a RangeSet holds what was added, whatever the order") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    base::RangeSet set;
    std::vector<bool> seen(200);
    for (int i = 0; i < 30; ++i) {
      const uint64_t begin = random() % 180, length = random() % 20;
      uint64_t fresh = 0;
      for (uint64_t at = begin; at < begin + length; ++at) {
        fresh += seen[at] ? 0 : 1;
        seen[at] = true;
      }
      REQUIRE(set.add(begin, length) == fresh);
    }
    std::vector<bool> held(200);
    uint64_t end = 0;
    for (const base::RangeSet::Interval& interval : set.intervals()) {
      REQUIRE((interval.begin > end || &interval == set.intervals().data()));
      end = interval.end;
      std::fill(held.begin() + static_cast<ptrdiff_t>(interval.begin),
                held.begin() + static_cast<ptrdiff_t>(end), true);
    }
    CHECK(held == seen);
  }
}

TEST_CASE("a RangeSet that is full takes what touches it") {
  base::RangeSet set;
  for (uint64_t i = 0; i < base::RangeSet::kMaxIntervals; ++i) {
    REQUIRE(set.add(2 * i, 1) == 1);
  }
  const uint64_t behind = 2 * base::RangeSet::kMaxIntervals;
  CHECK(set.add(behind, 1) == 0);
  CHECK(set.add(behind - 1, 1) == 1);
  set.clear();
  CHECK(set.total() == 0);
  CHECK(set.add(7, 2) == 2);
  CHECK(set.prefix() == 0);
}
