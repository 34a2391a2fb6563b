// What compare() finds of the findings of two captures: those that came, went, or changed their number for as
// many RPCs.
// For the files of this folder alone.
#pragma once

#include "diff/compare.h"

namespace steertag::diff {

void compare_findings(const Gathered& before, const Gathered& after, const Thresholds& thresholds,
                      Comparison& into);

}  // namespace steertag::diff
