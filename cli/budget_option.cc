#include "budget_option.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "rpc_options.h"

namespace steertag::cli {
namespace {

using product::Budget;

// "READ.p99": an operation and a figure; "retransmissions": a figure of all.
bool read_name(const std::string& name, Budget& into) {
  const size_t dot = name.rfind('.');
  into.operation = dot == std::string::npos ? "" : name.substr(0, dot);
  const std::string figure = dot == std::string::npos ? name : name.substr(dot + 1);
  const auto found = std::find(Budget::kFigures.begin(), Budget::kFigures.end(), figure);
  if (found == Budget::kFigures.end() || dot == 0) {
    return false;
  }
  into.figure = static_cast<Budget::Figure>(found - Budget::kFigures.begin());
  return into.operation.empty() || !Budget::is_of_all(into.figure);
}

std::optional<int64_t> read_limit(const std::string& text, Budget::Figure figure) {
  if (Budget::is_time(figure)) {
    return read_duration(text);
  }
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<Budget> read_budget(const std::string& text) {
  const size_t sign = text.find_first_of("<>");
  if (sign == std::string::npos) {
    return std::nullopt;
  }
  Budget budget;
  budget.text = text;
  budget.above = text[sign] == '>';
  budget.equal = sign + 1 < text.size() && text[sign + 1] == '=';
  if (!read_name(text.substr(0, sign), budget)) {
    return std::nullopt;
  }
  const auto limit = read_limit(text.substr(sign + (budget.equal ? 2 : 1)), budget.figure);
  budget.limit = limit.value_or(0);
  return limit ? std::optional(budget) : std::nullopt;
}

std::string no_budget() {
  return "a budget is such as READ.p99>50ms or unanswered>0: an operation has mean, p50, p90, p99, p999, "
         "max, "
         "rpcs, failed, unanswered; all together have retries, retransmissions, naks, rnr_naks, too";
}

void add_budget_option(CLI::App& command, std::vector<Budget>& budgets) {
  command
      .add_option_function<std::vector<std::string>>(
          "--fail-on",
          [&budgets](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              budgets.push_back(*read_budget(text));
            }
          },
          "exit with 1 where that is so: READ.p99>50ms,\nretransmissions>0, unanswered>0; as often as wanted")
      ->check(CLI::Validator(
          [](std::string& text) {
            return read_budget(text) ? std::string() : text + " is no budget; " + no_budget();
          },
          ""))
      ->allow_extra_args(false)
      ->type_name("BUDGET");
}

}  // namespace steertag::cli
