#include "extract/reduce.h"

#include <catch2/catch.hpp>
#include <vector>

namespace steertag::extract {
namespace {

size_t count(const std::vector<bool>& kept) {
  return static_cast<size_t>(std::count(kept.begin(), kept.end(), true));
}

TEST_CASE("what a test needs is kept, and nothing else") {
  const auto needs = [](const std::vector<bool>& kept) { return kept[3] && kept[17] && kept[90]; };
  const std::vector<bool> kept = reduce(100, 1000, needs);
  CHECK(needs(kept));
  CHECK(count(kept) == 3);
  CHECK(count(reduce(100, 1000, [](const std::vector<bool>&) { return true; })) == 0);
  CHECK(count(reduce(100, 1000, [](const std::vector<bool>&) { return false; })) == 100);
  CHECK(reduce(0, 1000, [](const std::vector<bool>&) { return true; }).empty());
}

TEST_CASE("nothing is tested twice") {
  size_t tests = 0;
  reduce(64, 1000, [&](const std::vector<bool>&) { return ++tests != 0; });
  CHECK(tests == 1);  // all of it is gone at once
}

TEST_CASE("no more tests are made than allowed, and what is returned has passed") {
  size_t tests = 0;
  const auto passes = [&](const std::vector<bool>& kept) {
    ++tests;
    return kept[40];
  };
  const std::vector<bool> kept = reduce(64, 5, passes);
  CHECK(tests == 5);
  CHECK(kept[40]);
  CHECK(count(kept) < 64);
}

}  // namespace
}  // namespace steertag::extract
