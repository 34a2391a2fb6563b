// judge(): what the rules say of a scenario's traffic under a profile, with how often each was put to
// the test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"
#include "rules/tally.h"

namespace steertag::legal {

struct Seen {
  std::string_view rule;
  rules::Severity severity = rules::Severity::error;
  rules::Certainty certainty = rules::Certainty::definite;
  std::string text;  // as an audit prints it, with the line of the scenario
};

struct Verdict {
  std::string error;  // why it is no scenario; empty where it is one
  std::vector<Seen> found;
  std::vector<rules::Tally> tallies;  // in the order of the catalog
};

Verdict judge(const std::string& text, rules::Profile profile);

}  // namespace steertag::legal
