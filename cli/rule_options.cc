#include "rule_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "host/failure.h"
#include "rules/catalog.h"

namespace steertag::cli {
namespace {

void check_words(const char* option, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (!rules::known(word)) {
      throw host::Failure(fmt::format("{}: {}: no such rule or family; see steertag rules", option, word));
    }
  }
}

bool named(const rules::Rule& rule, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return rules::meant(rule, word); });
}

// What is said of the rule itself, else of its family; null: nothing.
const std::optional<rules::Severity>* said_of(const rules::Rule& rule, const host::Severities& severities) {
  for (const std::string_view word : {rule.id, rules::family(rule)}) {
    if (const auto found = severities.find(word); found != severities.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

}  // namespace

void RuleOptions::prepare() const {
  check_words("--select", select);
  check_words("--ignore", ignore);
  check_words("--require", require);
}

rules::Settings RuleOptions::settings(const product::Settings& reading) const {
  rules::Settings settings;
  settings.profile = profile == "strict"    ? rules::Profile::strict
                     : profile == "rfc5666" ? rules::Profile::rfc5666
                                            : rules::Profile::deployed;
  settings.wants = [this](const rules::Rule& rule) { return wants(rule); };
  if (reading.skew_ms) {
    settings.skewed = *reading.skew_ms > 0;
  }
  return settings;
}

bool RuleOptions::wants(const rules::Rule& rule) const {
  const std::optional<rules::Severity>* const said = said_of(rule, severities);
  const bool off = said != nullptr && !*said;
  return (select.empty() || named(rule, select)) && !named(rule, ignore) && !off;
}

bool RuleOptions::wants_any(std::string_view word) const {
  return std::any_of(rules::catalog().begin(), rules::catalog().end(),
                     [&](const rules::Rule* rule) { return rules::meant(*rule, word) && wants(*rule); });
}

rules::Severity RuleOptions::severity(const rules::Rule& rule, rules::Severity own) const {
  const std::optional<rules::Severity>* const said = said_of(rule, severities);
  return said != nullptr && *said ? **said : own;
}

bool RuleOptions::requires_verdict(const rules::Rule& rule) const {
  return named(rule, require);
}

bool RuleOptions::fails(rules::Severity severity, rules::Certainty certainty) const {
  if (certainty == rules::Certainty::possible && !strict) {
    return false;
  }
  switch (severity) {
    case rules::Severity::error:
      return fail_on != "never";
    case rules::Severity::warning:
      return fail_on == "warning" || fail_on == "note";
    case rules::Severity::note:
      return fail_on == "note";
  }
  return false;
}

namespace {

void add_words(CLI::App& command, const char* flag, std::vector<std::string>& into, const char* help) {
  take_list(command.add_option(flag, into, help), "RULES");
}

}  // namespace

void add_rule_choice(CLI::App& command, RuleOptions& options) {
  add_words(command, "--select", options.select, "only these rules: ids or families (INV-03, CRD)");
  add_words(command, "--ignore", options.ignore, "not these rules");
  command
      .add_option(
          "--profile", options.profile,
          "deployed: tolerates what shipping implementations\ndo; strict: the text as written; rfc5666")
      ->check(one_of({"deployed", "strict", "rfc5666"}))
      ->type_name("NAME");
  command.add_flag("--strict", options.strict, "findings that are only possible count, too");
}

void add_rule_options(CLI::App& command, RuleOptions& options) {
  add_rule_choice(command, options);
  add_words(command, "--require", options.require, "exit with 1 where one of these could never be judged");
  command
      .add_option("--fail-on", options.fail_on,
                  "exit with 1 from this severity on: error, warning,\nnote, never")
      ->check(one_of({"error", "warning", "note", "never"}))
      ->type_name("SEVERITY");
}

}  // namespace steertag::cli
