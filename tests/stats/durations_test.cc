#include "stats/durations.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace steertag;
using namespace steertag::stats;

namespace {

Stamp at(uint64_t number, int64_t time_ns = 0) {
  return Stamp{.number = number, .time_ns = time_ns};
}

int64_t nearest_rank(std::vector<int64_t> values, double fraction) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<size_t>(std::ceil(fraction * static_cast<double>(values.size())));
  return values[std::max<size_t>(rank, 1) - 1];
}

// As records and text tell it.
int64_t told(int64_t ns) {
  return ns < 100'000 ? ns : ns / 1000 * 1000;
}

}  // namespace

TEST_CASE("Durations: the ends, the sum the mean and percentiles are exact") {
  Durations durations;
  for (int64_t i = 1; i <= 1000; ++i) {
    durations.add(i * 1'000, at(static_cast<uint64_t>(i), i + 5));
  }
  CHECK(durations.count() == 1000);
  CHECK(durations.least() == 1'000);
  CHECK(durations.greatest() == 1'000'000);
  CHECK(durations.sum_ns() == 500'500'000);
  CHECK(durations.mean() == 500'500);
  CHECK(durations.longest().number == 1000);
  CHECK(durations.percentile(0.5) == 500'000);
  CHECK(durations.percentile(0.99) == 990'000);
  CHECK(durations.percentile(1) == 1'000'000);

  durations.add(1'000'000, at(5, 2));  // earlier than the other, reported later
  durations.add(1'000'000, at(6, 2));
  CHECK(durations.longest().number == 5);

  Durations extremes;
  extremes.add(-5, at(1));
  extremes.add(INT64_MAX, at(2));
  extremes.add(INT64_MAX, at(3));
  extremes.add(INT64_MAX, at(4));
  CHECK(extremes.least() == 0);
  CHECK(extremes.percentile(0.25) == 0);
  CHECK(extremes.percentile(0.5) > INT64_MAX / 256 * 255);
  CHECK(extremes.percentile(1) == INT64_MAX);
  CHECK(extremes.sum_ns() == UINT64_MAX);
}

TEST_CASE("Durations: percentiles against sorted values, whatever their distribution") {
  std::mt19937_64 chance(7);
  std::lognormal_distribution<double> long_tail(12, 1.5);
  std::exponential_distribution<double> waiting(1e-6);
  std::uniform_int_distribution<int64_t> small(0, 300);
  for (int kind = 0; kind < 3; ++kind) {
    std::vector<int64_t> values;
    Durations durations;
    for (int i = 0; i < 5000; ++i) {
      values.push_back(kind == 0   ? static_cast<int64_t>(long_tail(chance))
                       : kind == 1 ? static_cast<int64_t>(waiting(chance))
                                   : small(chance));
      durations.add(values.back(), at(1));
    }
    CHECK(durations.error() < 0.004);
    for (const double fraction : {0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0}) {
      const auto exact = static_cast<double>(told(nearest_rank(values, fraction)));
      CHECK(static_cast<double>(durations.percentile(fraction)) ==
            Approx(exact).epsilon(durations.error()).margin(0.6));
    }
  }
}

TEST_CASE("Durations: percentiles are exact until too many times differ") {
  std::mt19937_64 chance(7);
  std::lognormal_distribution<double> long_tail(12, 1.5);
  std::vector<int64_t> values;
  Durations durations;
  while (durations.buckets() < Durations::kMaxBuckets) {
    values.push_back(static_cast<int64_t>(long_tail(chance)));
    durations.add(values.back(), at(1));
  }
  for (const double fraction : {0.001, 0.25, 0.5, 0.9, 0.99, 0.999}) {
    CHECK(durations.percentile(fraction) ==
          std::max(told(nearest_rank(values, fraction)), durations.least()));
  }
  CHECK(durations.error() < 1e-9);
}

TEST_CASE("bounds: buckets of Durations, which are put together where there would be more") {
  Durations all, parts[3], merged;
  // 56 powers of two with 40 values each: 2240 buckets at 128 for each power, as many at 64, and then less.
  for (int power = 7; power < 63; ++power) {
    for (int64_t i = 0; i < 40; ++i) {
      const int64_t value = (int64_t{1} << power) + (int64_t{1} << power) / 40 * i;
      all.add(value, at(1));
      parts[(power + i) % 3].add(value, at(1));
      CHECK(all.buckets() <= Durations::kMaxBuckets);
    }
    if (power == 20) {
      CHECK(all.buckets() == size_t{14 * 40});
    }
  }
  CHECK(all.count() == size_t{56 * 40});
  for (const Durations& part : {parts[2], parts[0], parts[1]}) {
    merged.add(part);
  }
  CHECK(merged.buckets() == all.buckets());
  for (int i = 0; i <= 1000; ++i) {
    CHECK(merged.percentile(i / 1000.0) == all.percentile(i / 1000.0));
  }
  const int64_t median = (int64_t{1} << 34) + (int64_t{1} << 34) / 40 * 39;
  CHECK(all.error() > 0.01);
  CHECK(static_cast<double>(all.percentile(0.5)) == Approx(median).epsilon(all.error()));
}

TEST_CASE("Durations: how many are longer than a time") {
  Durations durations;
  CHECK(durations.above(0) == 0);
  for (int64_t i = 1; i <= 100; ++i) {
    durations.add(i * 1'000'000, at(static_cast<uint64_t>(i)));
  }
  CHECK(durations.above(-1) == 100);
  CHECK(durations.above(95'500'000) == 5);
  CHECK(durations.above(99'500'000) == 1);
  CHECK(durations.above(100'000'000) == 0);
}
