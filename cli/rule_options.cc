#include "rule_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "budget_option.h"
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

void add_words(CLI::App& command, const char* flag, std::vector<std::string>& into, const char* help) {
  take_list(command.add_option(flag, into, help), "RULES");
}

// A severity, whose names complete what is typed, or as many budgets as wanted.
void add_fail_on(CLI::App& command, product::Policy& policy, std::vector<product::Budget>& budgets) {
  command
      .add_option_function<std::vector<std::string>>(
          "--fail-on",
          [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              if (is_severity(text)) {
                policy.fail_on = text;
              } else {
                budgets.push_back(*read_budget(text));
              }
            }
          },
          "exit with 1 from this severity on: error, warning,\nnote, never; or where that is so: "
          "READ.p99>50ms,\nretransmissions>0, unanswered>0; as often as wanted")
      ->check(CLI::Validator(
          [](std::string& text) {
            return is_severity(text) || read_budget(text)
                       ? std::string()
                       : text + " is neither error, warning, note, never nor a budget; " + no_budget();
          },
          "", "error|warning|note|never"))
      ->allow_extra_args(false)
      ->type_name("SEVERITY|BUDGET");
}

}  // namespace

void check_rules(const product::Policy& policy) {
  check_words("--select", policy.select);
  check_words("--ignore", policy.ignore);
  check_words("--require", policy.require);
}

void add_patience(CLI::App& command, product::Policy& policy, const std::string& then) {
  command
      .add_option("--answer-within", policy.answer_within,
                  "how long a Call may wait for its answer, before that\n" + then)
      ->check(non_negative())
      ->type_name("SECONDS");
}

void add_rule_choice(CLI::App& command, product::Policy& policy) {
  add_words(command, "--select", policy.select, "only these rules: ids or families (INV-03, CRD)");
  add_words(command, "--ignore", policy.ignore, "not these rules");
  command
      .add_option(
          "--profile", policy.profile,
          "deployed: tolerates what shipping implementations\ndo; strict: the text as written; rfc5666")
      ->check(one_of({"deployed", "strict", "rfc5666"}))
      ->type_name("NAME");
  add_patience(command, policy, "is a finding, XID-05 (10)");
  command.add_flag("--strict", policy.strict, "findings that are only possible count, too");
}

bool is_severity(const std::string& text) {
  return text == "error" || text == "warning" || text == "note" || text == "never";
}

void add_rule_options(CLI::App& command, product::Policy& policy, std::vector<product::Budget>* budgets) {
  add_rule_choice(command, policy);
  add_words(command, "--require", policy.require, "exit with 1 where one of these could never be judged");
  if (budgets != nullptr) {
    return add_fail_on(command, policy, *budgets);
  }
  command
      .add_option("--fail-on", policy.fail_on,
                  "exit with 1 from this severity on: error, warning,\nnote, never")
      ->check(one_of({"error", "warning", "note", "never"}))
      ->type_name("SEVERITY");
}

}  // namespace steertag::cli
