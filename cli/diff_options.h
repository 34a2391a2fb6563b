// DiffOptions: what steertag diff is asked to compare, what counts as a difference, and which differences
// turn the exit status into 1.
//
// The names of thresholds are an interface, as those of options are.
#pragma once

#include <string>
#include <vector>

#include "diff/compare.h"
#include "options.h"
#include "rule_options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace steertag::cli {

struct DiffOptions {
  ReadingOptions reading;  // but for the captures
  product::Policy policy;
  std::string one_before, one_after;       // BEFORE, AFTER
  std::vector<std::string> before, after;  // --before, --after
  std::string fail_on = "regression";      // regression, difference, never
  diff::Thresholds thresholds;

  // Throws Failure where it is not said what to compare, or a rule does not exist. Once.
  void prepare();
  bool pages() const { return reading_before().pages() && reading_after().pages(); }
  // Of the two.
  ReadingOptions reading_before() const { return reading_of(before, after.size()); }
  ReadingOptions reading_after() const { return reading_of(after, before.size()); }

 private:
  ReadingOptions reading_of(const std::vector<std::string>& captures, size_t others) const;
};

void add_diff_options(CLI::App& command, DiffOptions& options);

}  // namespace steertag::cli
