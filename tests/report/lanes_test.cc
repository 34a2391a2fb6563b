#include "report/lanes.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace steertag::report {
namespace {

TEST_CASE("what is side by side is in lanes of its own, the lowest first") {
  Lanes lanes;
  CHECK(lanes.take(10, 20) == 0U);
  CHECK(lanes.take(15, 30) == 1U);
  CHECK(lanes.take(20, 25) == 2U);  // it would touch the first
  CHECK(lanes.take(21, 40) == 0U);
  CHECK(lanes.take(26, 26) == 2U);
  CHECK(lanes.count() == 3);
}

TEST_CASE("what comes late lies in front of what is there") {
  Lanes lanes;
  CHECK(lanes.take(100, 200) == 0U);
  CHECK(lanes.take(10, 99) == 0U);
  CHECK(lanes.take(10, 100) == 1U);
  CHECK(lanes.take(201, Lanes::kForever) == 0U);
  CHECK(lanes.take(300, 300) == 1U);
  CHECK(lanes.take(5, Lanes::kForever) == 2U);
}

TEST_CASE("what is forgotten of a lane counts as taken") {
  Lanes lanes;
  constexpr auto kMany = static_cast<int64_t>(Lanes::kMostKept) + 4;
  for (int64_t i = 0; i < kMany; ++i) {
    CHECK(lanes.take(i * 10, i * 10 + 1) == 0U);
  }
  CHECK(lanes.take(3, 4) == 1U);                                        // between two that are forgotten
  CHECK(lanes.take((kMany - 1) * 10 - 5, (kMany - 1) * 10 - 4) == 0U);  // between two that are not
}

TEST_CASE("there are no more lanes than a bound") {
  Lanes lanes;
  for (uint32_t i = 0; i < Lanes::kMostLanes; ++i) {
    REQUIRE(lanes.take(1, 2) == i);
  }
  CHECK(lanes.take(1, 2) == std::nullopt);
  CHECK(lanes.take(3, 4) == 0U);
}

TEST_CASE("nothing ever touches in a lane") {
  std::mt19937 chance(1);
  Lanes lanes;
  std::vector<std::vector<std::pair<int64_t, int64_t>>> taken;
  for (int64_t now = 0; now < 3000; ++now) {
    const int64_t begin = now - static_cast<int64_t>(chance() % 100),
                  end = begin + static_cast<int64_t>(chance() % 150);
    const auto lane = lanes.take(begin, end);
    REQUIRE(lane);
    taken.resize(std::max<size_t>(taken.size(), *lane + 1));
    for (const auto& [other_begin, other_end] : taken[*lane]) {
      REQUIRE((other_end < begin || other_begin > end));
    }
    taken[*lane].emplace_back(begin, end);
  }
  CHECK(lanes.count() < 250);
}

}  // namespace
}  // namespace steertag::report
