// Whether two amounts differ by more than noise: the measures of compare(). Symmetric in their first two
// arguments.
// For the files of this folder alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "diff/compare.h"
#include "diff/difference.h"

namespace steertag::diff {

// By which part of the larger one they must differ, and by how much.
struct Tolerance {
  double part, few;
};

inline Tolerance tolerance(const Thresholds& thresholds) {
  return {thresholds.count, static_cast<double>(thresholds.few)};
}
inline constexpr Tolerance kChance = {kChancePart, kChanceFew};

inline bool apart(double a, double b, const Tolerance& tolerance) {
  const double gap = std::abs(a - b);
  return gap > tolerance.few && gap > tolerance.part * std::max(a, b);
}

inline bool counts_differ(uint64_t a, uint64_t b, const Tolerance& tolerance) {
  return apart(static_cast<double>(a), static_cast<double>(b), tolerance);
}

inline double share(const Amount& amount) {
  return amount.of == 0 ? 0 : static_cast<double>(amount.value) / static_cast<double>(amount.of);
}

// So many of so many: as if both were of as many as the smaller one.
inline bool shares_differ(const Amount& a, const Amount& b, const Tolerance& tolerance) {
  const auto whole = static_cast<double>(std::min(a.of, b.of));
  return whole != 0 && apart(share(a) * whole, share(b) * whole, tolerance);
}

}  // namespace steertag::diff
