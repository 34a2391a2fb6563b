#include "rdma/read_depth.h"

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

using namespace steertag;
using rdma::ReadDepth;

namespace {

// Reads by their number; frames count requests and completions alike.
struct Counted {
  ReadDepth depth;
  uint64_t frame = 0;
  std::vector<ReadDepth::Turn> turns;
  std::vector<Stamp> requested;

  void request(uint64_t at = 0) {
    turns.push_back(depth.request());
    requested.push_back({.number = at != 0 ? at : ++frame});
  }
  std::optional<ReadDepth::Peak> complete(size_t read, uint64_t at = 0) {
    const auto peak = depth.peak(turns[read], requested[read]);
    depth.count(turns[read], turns[0], {.number = at != 0 ? at : ++frame});
    return peak;
  }
};

}  // namespace

TEST_CASE_METHOD(Counted,
                 "Reads are outstanding together where the earlier is complete behind the later Request") {
  for (int i = 0; i < 3; ++i) {
    request();
  }
  CHECK_FALSE(complete(0));
  REQUIRE(complete(1));  // two: this one and the first
  const auto peak = complete(2);
  REQUIRE(peak);
  CHECK(peak->reads == 3);
  CHECK(peak->first_done.number == 4);
}

TEST_CASE_METHOD(Counted, "a count that was reached before is no news") {
  for (size_t i = 0; i < 10; ++i) {
    request();
    request();
    CHECK_FALSE(complete(2 * i));
    CHECK(complete(2 * i + 1).has_value() == (i == 0));
  }
}

TEST_CASE_METHOD(Counted, "what is complete before the Request does not count") {
  request();
  complete(0);
  request();
  CHECK_FALSE(complete(1));
}

TEST_CASE_METHOD(Counted, "what was requested later does not count") {
  for (int i = 0; i < 3; ++i) {
    request();
  }
  CHECK_FALSE(complete(2));
  CHECK_FALSE(complete(1));
  CHECK_FALSE(complete(0));
}

TEST_CASE_METHOD(Counted,
                 "what was captured before the Request does not count, though it was reported behind it") {
  request(10);
  request(20);
  complete(0, 15);
  CHECK_FALSE(complete(1, 30));
}

TEST_CASE_METHOD(Counted, "more than any hardware has are not counted") {
  const size_t many = ReadDepth::kMostCounted + 500;
  for (size_t i = 0; i < many; ++i) {
    request();
  }
  std::optional<ReadDepth::Peak> peak;
  for (size_t i = 0; i < many; ++i) {
    const auto next = complete(i);
    peak = next ? next : peak;
  }
  CHECK(peak->reads == ReadDepth::kMostCounted + 1);
}
