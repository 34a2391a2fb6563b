// What a finding has in common with findings of the same behaviour in any other capture. Two runs of one
// workload never have equal frames, times, XIDs, handles or addresses; what they have alike is the rule, who
// is to blame, the version, the operation, and the shape of the fault: the sentence without its values.
// Baselines and comparisons of captures go by it.
// Pure functions of the finding. Sentences may be worded better one day; then fingerprints change with them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rules/finding.h"

namespace steertag::rules {

// "Write chunk N returns N bytes, but the result in it has N; XDR roundup must not be written". A value is
// what begins with a digit, and an address; a list of values is one value, and no value has a unit.
std::string shape(std::string_view text);

// Stays what it is from one machine to the next, and is never 0. One byte and two bytes are the same fault;
// so is a habit, whichever operation it was noticed at.
uint64_t fingerprint(const Finding& finding);

}  // namespace steertag::rules
