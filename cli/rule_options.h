// The options that say which rules are asked, how strictly, and what of their findings turns the exit status
// into 1. Every command that has rules behind it takes them, into a product::Policy. What the command line
// leaves open may come from a configuration (configure.h).
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "product/budget.h"
#include "product/policy.h"

namespace steertag::cli {

// --fail-on takes budgets, too, where there is a place for them.
void add_rule_options(CLI::App& command, product::Policy& policy,
                      std::vector<product::Budget>* budgets = nullptr);
// Only which rules, and how strictly: of commands that say themselves what --fail-on and --require mean.
void add_rule_choice(CLI::App& command, product::Policy& policy);
// --answer-within alone: of commands that ask no rule, but tell of Calls that hang. `then`: what that is.
void add_patience(CLI::App& command, product::Policy& policy, const std::string& then);

// What is a severity for --fail-on, and no budget.
bool is_severity(const std::string& text);

void check_rules(const product::Policy& policy);  // throws Failure where a rule does not exist

}  // namespace steertag::cli
