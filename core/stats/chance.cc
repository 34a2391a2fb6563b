#include "stats/chance.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace steertag::stats {
namespace {

// A time, and how many of either side took so long.
struct Tied {
  int64_t ns = 0;
  double a = 0, b = 0;
};

std::vector<Tied> side_by_side(const Durations& a, const Durations& b) {
  std::vector<Tied> all;
  a.each([&](int64_t ns, uint64_t count) { all.push_back({ns, static_cast<double>(count), 0}); });
  b.each([&](int64_t ns, uint64_t count) { all.push_back({ns, 0, static_cast<double>(count)}); });
  std::stable_sort(all.begin(), all.end(), [](const Tied& x, const Tied& y) { return x.ns < y.ns; });
  std::vector<Tied> merged;
  for (const Tied& one : all) {
    if (merged.empty() || merged.back().ns != one.ns) {
      merged.push_back({one.ns, 0, 0});
    }
    merged.back().a += one.a;
    merged.back().b += one.b;
  }
  return merged;
}

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

// That at least `hits` of the `all` fall among `of`, of `total` that may be hit.
double tail(uint64_t hits, uint64_t of, uint64_t all, uint64_t total) {
  const auto chosen = [](uint64_t n, uint64_t k) {
    return log_choose(static_cast<double>(n), static_cast<double>(k));
  };
  double sum = 0;
  for (uint64_t k = hits; k <= std::min(of, all); ++k) {
    const double term = std::exp(chosen(of, k) + chosen(total - of, all - k) - chosen(total, all));
    sum += term;
    if (term <= sum * 1e-12) {  // what follows is smaller still
      break;
    }
  }
  return std::min(sum, 1.0);
}

}  // namespace

double chance_of_ranks(const Durations& a, const Durations& b) {
  const auto m = static_cast<double>(a.count()), n = static_cast<double>(b.count());
  if (m == 0 || n == 0) {
    return 1;
  }
  double below = 0, longer = 0, ties = 0;  // pairs in which the one of b is longer, half of the equal ones
  for (const Tied& one : side_by_side(a, b)) {
    longer += one.b * (below + one.a / 2);
    below += one.a;
    const double equal = one.a + one.b;
    ties += equal * equal * equal - equal;
  }
  const double all = m + n;
  const double variance = m * n / 12 * (all + 1 - (all > 1 ? ties / (all * (all - 1)) : 0));
  if (variance <= 0) {
    return 1;  // all are equal
  }
  const double off = std::max(0.0, std::abs(longer - m * n / 2) - 0.5);
  return std::erfc(off / std::sqrt(2 * variance));
}

double chance_of_fractions(const Fraction& a, const Fraction& b) {
  if (a.of == 0 || b.of == 0) {
    return 1;
  }
  const auto of_a = static_cast<double>(a.of), of_b = static_cast<double>(b.of);
  const Fraction& more = static_cast<double>(b.hits) * of_a > static_cast<double>(a.hits) * of_b ? b : a;
  return std::min(1.0, 2 * tail(more.hits, more.of, a.hits + b.hits, a.of + b.of));
}

}  // namespace steertag::stats
