// RuleOptions: which rules are asked, how strictly, and what of their findings turns the exit status into 1.
// Every command that has rules behind it takes them. What the command line leaves open may come from a
// configuration (configure.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/config.h"
#include "options.h"
#include "report/known.h"
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

  std::string config;      // its path; empty: none. Or as --config has it, until configure() has found it
  bool no_config = false;  // and it looks for none
  std::vector<std::string> baselines;  // the same of --baseline
  bool strict_baseline = false;
  host::Severities severities;
  // By the configuration and the baselines. Findings point to it: copies of these options share it.
  std::shared_ptr<report::KnownList> known = std::make_shared<report::KnownList>();
  std::vector<report::Known> own_known;  // by the configuration itself

  void prepare() const;  // throws Failure where a rule does not exist
  rules::Settings settings(const product::Settings& reading) const;
  bool wants(const rules::Rule& rule) const;
  bool requires_verdict(const rules::Rule& rule) const;
  bool wants_any(std::string_view word) const;  // of the rules that are meant by it
  // As what a finding by this rule is reported: of its own severity, unless the configuration has another for
  // it.
  rules::Severity severity(const rules::Rule& rule, rules::Severity own) const;
  // Calls what(finding), with the severity that it has by that; it is copied only where that is another.
  template <typename What>
  void weighed(const rules::Finding& finding, const What& what) const {
    const rules::Severity own = severity(*finding.rule, finding.severity);
    if (own == finding.severity) {
      return what(finding);
    }
    rules::Finding other = finding;
    other.severity = own;
    what(other);
  }
  // Whether a finding turns the exit status into 1.
  bool fails(rules::Severity severity, rules::Certainty certainty) const;
};

void add_rule_options(CLI::App& command, RuleOptions& options);
// Only which rules, and how strictly: of commands that say themselves what --fail-on and --require mean.
void add_rule_choice(CLI::App& command, RuleOptions& options);

}  // namespace steertag::cli
