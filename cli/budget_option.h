// The option that takes budgets: what statistics may come to before a run fails (product/budget.h). A budget
// is written as the condition under which it fails: "READ.p99>50ms", "retransmissions>0". What is none gets a
// message that says what there is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "product/budget.h"

namespace steertag::cli {

// Unset where the text is no budget.
std::optional<product::Budget> read_budget(const std::string& text);

// What a budget may say: "an operation has mean, ...".
std::string no_budget();

void add_budget_option(CLI::App& command, std::vector<product::Budget>& budgets);

}  // namespace steertag::cli
