// Sums and differences of times in nanoseconds that stop at the ends of an int64_t, 292 years away from 0. A
// capture may say any time: three RPCs of 2^32 - 1 seconds each take longer than that. Whoever adds up times
// of several RPCs, or subtracts times of several captures, uses these.
#pragma once

#include <cstdint>

namespace steertag::base {

constexpr int64_t saturating_add(int64_t one, int64_t two) {
  int64_t sum = 0;
  return __builtin_add_overflow(one, two, &sum) ? (two < 0 ? INT64_MIN : INT64_MAX) : sum;
}
constexpr int64_t saturating_subtract(int64_t from, int64_t what) {
  int64_t difference = 0;
  return __builtin_sub_overflow(from, what, &difference) ? (what < 0 ? INT64_MAX : INT64_MIN) : difference;
}

}  // namespace steertag::base
