// Recent: what is kept of the latest flows, and when it is forgotten.
#include "track/recent.h"

#include <catch2/catch.hpp>

using steertag::track::Recent;

TEST_CASE("recent: what was kept is found by flow and QP, until all is forgotten") {
  Recent<int> recent;
  CHECK(recent.find(1, 17) == nullptr);
  recent.keep(1, 17, 5);
  recent.keep(1, 18, 6);
  REQUIRE(recent.find(1, 17) != nullptr);
  CHECK(*recent.find(1, 17) == 5);
  CHECK(*recent.find(1, 18) == 6);
  CHECK(recent.find(2, 17) == nullptr);
  recent.forget();
  CHECK(recent.find(1, 17) == nullptr);
}

TEST_CASE("recent: a packet whose flow has no number is never found") {
  Recent<int> recent;
  recent.keep(0, 17, 5);
  CHECK(recent.find(0, 17) == nullptr);
  CHECK(recent.find(0) == nullptr);
}

TEST_CASE("recent: of more flows than there is room for, whatever is found is right") {
  Recent<uint64_t> recent;
  for (uint64_t flow = 1; flow < 1000; ++flow) {
    recent.keep(flow, 3, flow);
    CHECK(*recent.find(flow, 3) == flow);
    for (uint64_t before = 1; before < flow; before += 7) {
      const uint64_t* const found = recent.find(before, 3);
      CHECK((found == nullptr || *found == before));
    }
  }
}
