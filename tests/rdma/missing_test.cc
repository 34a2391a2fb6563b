#include "rdma/missing.h"

#include <catch2/catch.hpp>

using namespace steertag;
using namespace steertag::rdma;

namespace {

MissingHole hole(uint64_t begin, uint64_t end, uint64_t frame, std::optional<Stamp> proof = {}) {
  return {begin, end, end - begin, Stamp{.number = frame}, proof};
}

}  // namespace

TEST_CASE("holes that touch are one") {
  Missing missing;
  CHECK_FALSE(missing.waits());
  CHECK_FALSE(missing.add(Side::b, hole(10, 12, 1, Stamp{.number = 5})));
  CHECK_FALSE(missing.add(Side::b, hole(12, 20, 2, Stamp{.number = 6})));
  CHECK(missing.waits());
  const std::optional<Anomaly> reported = missing.take(Side::b);
  REQUIRE(reported);
  CHECK(reported->kind == Anomaly::Kind::missing);
  CHECK(reported->from == Side::b);
  CHECK(reported->at.number == 1);
  CHECK(reported->expected == 10);
  CHECK(reported->found == 20);
  CHECK(reported->count == 10);
  CHECK(reported->related->number == 6);
  CHECK_FALSE(missing.take(Side::b));
}

TEST_CASE("another hole ends the one before") {
  Missing missing;
  missing.add(Side::a, hole(10, 12, 1));
  const std::optional<Anomaly> before = missing.add(Side::a, hole(13, 14, 2));
  REQUIRE(before);
  CHECK(before->found == 12);
  CHECK(missing.take(Side::a)->expected == 13);
}

TEST_CASE("a hole is proven where all of it is") {
  Missing missing;
  missing.add(Side::a, hole(10, 12, 1));
  missing.add(Side::a, hole(12, 14, 2, Stamp{.number = 3}));
  CHECK_FALSE(missing.take(Side::a)->related);
  missing.add(Side::a, hole(20, 22, 1, Stamp{.number = 3}));
  missing.add(Side::a, hole(22, 24, 2));
  CHECK_FALSE(missing.take(Side::a)->related);
}

TEST_CASE("a hole whose first packet came late is shorter") {
  Missing missing;
  missing.shorten(10, 11);  // none waits
  missing.add(Side::a, hole(10, 12, 1));
  missing.shorten(11, 12);  // not its first
  missing.shorten(10, 11);
  const std::optional<Anomaly> reported = missing.take(Side::a);
  CHECK(reported->expected == 11);
  CHECK(reported->count == 1);
}
