// Which of the planted faults is on: scripts/mutate rewrites `a < b` into
// `(mutant::is(7) ? a <= b : a < b)`, and the environment names the one that this run
// has. Each that is asked about is noted in a file, so that it is known which tests
// reach it. What the compiler evaluates has none.
#pragma once

#include <type_traits>

namespace mutant {

extern unsigned on;  // number of the fault; none has 0
extern unsigned char*
    reached;  // a byte for each fault; only in a run that has a file for it is it a shared mapping

constexpr bool is(unsigned number) {
  if (std::is_constant_evaluated()) {
    return false;
  }
  reached[number] = 1;
  return number == on;
}

}  // namespace mutant
