// reduce(): leaves out of a sequence what a test can do without: halves, then quarters, then ever smaller
// pieces (Zeller's delta debugging, without its complements). It calls the test a bounded number of times;
// what it returns has passed it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace steertag::extract {

// `kept`: one for each item that may be left out, all true at first, when the test is known to pass.
std::vector<bool> reduce(size_t items, size_t most_tests, const auto& passes) {
  std::vector<bool> kept(items, true);
  size_t tests = 0;
  for (size_t piece = std::max<size_t>(items, 1); piece != 0; piece /= 2) {
    for (size_t begin = 0; begin < items; begin += piece) {
      const size_t end = std::min(items, begin + piece);
      std::vector<bool> fewer = kept;
      std::fill(fewer.begin() + static_cast<std::ptrdiff_t>(begin),
                fewer.begin() + static_cast<std::ptrdiff_t>(end), false);
      if (fewer == kept) {
        continue;
      }
      if (tests++ == most_tests) {
        return kept;
      }
      if (passes(fewer)) {
        kept = std::move(fewer);
      }
    }
  }
  return kept;
}

}  // namespace steertag::extract
