// Expense: what a scenario has made so far, in bytes. Everything is charged before
// it is made, so that no text, however short, can ask for more than kMaxMade: the
// line that does is told so, and nothing is afforded from then on.
#pragma once

#include <fmt/core.h>

#include "scenario/arguments.h"

namespace steertag::scenario {

class Expense {
 public:
  explicit Expense(Problem& problem) : problem_(problem) {}

  // Charges `bytes`. False where they are too many, or the scenario has a problem already.
  bool afford(uint64_t bytes) {
    spent_ += bytes;
    if (spent_ > kMaxMade) {
      problem_.say(fmt::format(
          "The scenario makes more than {} MiB; use shorter chunks or fewer repetitions.", kMaxMade >> 20));
    }
    return !problem_.any();
  }

 private:
  Problem& problem_;
  uint64_t spent_ = 0;
};

}  // namespace steertag::scenario
