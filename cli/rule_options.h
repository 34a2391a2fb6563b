// RuleOptions: which rules are asked, how strictly, and what of their
// findings turns the exit status into 1. Every command that has rules
// behind it takes them.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "rules/engine.h"

namespace CLI {
class App;
}  // namespace CLI

namespace steertag::cli {

struct RuleOptions {
  std::vector<std::string> select, ignore, require;  // ids or families
  std::string profile = "deployed";                  // deployed, strict, rfc5666
  std::string fail_on = "error";                     // error, warning, note, never
  bool strict = false;                               // what is only possible counts, too

  void prepare() const;  // throws Failure where a rule does not exist
  rules::Settings settings(const ReadingOptions& reading) const;
  bool wants(const rules::Rule& rule) const;
  // Whether a finding turns the exit status into 1.
  bool fails(rules::Severity severity, rules::Certainty certainty) const;
};

void add_rule_options(CLI::App& command, RuleOptions& options);
// Only which rules, and how strictly: of commands that say themselves what --fail-on and --require mean.
void add_rule_choice(CLI::App& command, RuleOptions& options);

}  // namespace steertag::cli
