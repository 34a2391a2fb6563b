// The options that say which rules are asked, how strictly, and what of their findings turns the exit status
// into
// 1. Every command that has rules behind it takes them, into a product::Policy. What the command line leaves
// open may come from a configuration (configure.h).
#pragma once

#include "options.h"
#include "product/policy.h"

namespace steertag::cli {

void add_rule_options(CLI::App& command, product::Policy& policy);
// Only which rules, and how strictly: of commands that say themselves what --fail-on and --require mean.
void add_rule_choice(CLI::App& command, product::Policy& policy);

void check_rules(const product::Policy& policy);  // throws Failure where a rule does not exist

}  // namespace steertag::cli
