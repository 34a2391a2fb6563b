// Required: rules that must have had a verdict, or the audit fails. Of one run, or of
// shares that were merged: the tallies are those of all connections either way. Also how
// such a list of words is written down and read again.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rules/tally.h"

namespace steertag::product {

// Ids of the rules meant by these words that were never judged, in the order of the words.
std::vector<std::string> never_judged(const std::vector<std::string>& words,
                                      std::span<const rules::Tally> tallies);
// The same as lines for people. `tallies` are in the order of the catalog.
std::vector<std::string> unjudged(const std::vector<std::string>& words,
                                  std::span<const rules::Tally> tallies);

// Words with commas between, and back.
std::string joined(const std::vector<std::string>& words);
std::vector<std::string> split(const std::string& words);

}  // namespace steertag::product
