#include "base/saturating.h"

#include <catch2/catch.hpp>

using namespace steertag::base;

TEST_CASE("sums and differences stop at the ends") {
  CHECK(saturating_add(2, 3) == 5);
  CHECK(saturating_add(INT64_MAX - 1, 1) == INT64_MAX);
  CHECK(saturating_add(INT64_MAX, 1) == INT64_MAX);
  CHECK(saturating_add(INT64_MIN, -1) == INT64_MIN);
  CHECK(saturating_subtract(2, 3) == -1);
  CHECK(saturating_subtract(INT64_MAX, -1) == INT64_MAX);
  CHECK(saturating_subtract(INT64_MIN, 1) == INT64_MIN);
  CHECK(saturating_subtract(0, INT64_MIN) == INT64_MAX);
}
