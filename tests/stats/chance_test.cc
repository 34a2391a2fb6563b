#include "stats/chance.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <initializer_list>

namespace steertag::stats {
namespace {

Durations of(std::initializer_list<int64_t> times) {
  Durations durations;
  for (const int64_t ns : times) {
    durations.add(ns, {});
  }
  return durations;
}

TEST_CASE("times that are all longer than the others are hardly so by chance") {
  const Durations fast = of({1, 2, 3, 4, 5}), slow = of({6, 7, 8, 9, 10});
  // U is 25 of a mean of 12.5 and a variance of 275/12: 2.507 standard deviations.
  CHECK(chance_of_ranks(fast, slow) == Approx(0.0122).epsilon(0.01));
  CHECK(chance_of_ranks(slow, fast) == chance_of_ranks(fast, slow));
}

TEST_CASE("times that are mixed, or equal, or on one side alone say nothing") {
  CHECK(chance_of_ranks(of({1, 4, 5, 8}), of({2, 3, 6, 7})) == Approx(1));
  CHECK(chance_of_ranks(of({7, 7, 7}), of({7, 7})) == 1);
  CHECK(chance_of_ranks(of({}), of({1, 2})) == 1);
}

TEST_CASE("of equal times each pair counts half, and what they say is worth less") {
  // U is 13 of a mean of 8; twice three are equal, which makes the variance 16/12 * (9 - 48/56).
  const Durations a = of({1, 2, 2, 3}), b = of({2, 3, 3, 4});
  CHECK(chance_of_ranks(a, b) ==
        Approx(std::erfc(4.5 / std::sqrt(2 * (16.0 / 12 * (9 - 48.0 / 56))))).epsilon(0.001));
}

TEST_CASE("one time that is extremely long counts as one") {
  const Durations a = of({10, 20, 30, 40, 50, 60}), b = of({11, 21, 31, 41, 51, 1'000'000'000});
  CHECK(chance_of_ranks(a, b) > 0.5);
}

TEST_CASE("shares: Fisher's exact test, of both directions") {
  CHECK(chance_of_fractions({0, 60}, {3, 61}) == Approx(2.0 * 61 * 60 * 59 / (121.0 * 120 * 119)));
  CHECK(chance_of_fractions({2, 10}, {8, 10}) == Approx(2.0 * (45 * 45 + 10 * 10 + 1) / 184756));
  CHECK(chance_of_fractions({8, 10}, {2, 10}) == chance_of_fractions({2, 10}, {8, 10}));
  CHECK(chance_of_fractions({5, 10}, {5, 10}) == 1);
  CHECK(chance_of_fractions({0, 0}, {3, 10}) == 1);
  CHECK(chance_of_fractions({0, 1'000'000}, {500'000, 1'000'000}) < 1e-9);
}

}  // namespace
}  // namespace steertag::stats
