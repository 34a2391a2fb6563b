#include "diff_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string_view>

#include "host/failure.h"
#include "rpc_options.h"
#include "rules/catalog.h"

namespace steertag::cli {
namespace {

// "1.5", and one of these units behind it, or nothing. Unset where it is none, or out of these bounds.
std::optional<double> number(std::string text, std::string_view unit, double least, double most) {
  if (text.ends_with(unit)) {
    text.erase(text.size() - unit.size());
  }
  double value = -1;
  const bool sound = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9')) &&
                     CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
  return sound ? std::optional(value) : std::nullopt;
}

// "p99=1.5x". What is wrong with it; empty: nothing is, and it is set.
std::string set_threshold(const std::string& text, diff::Thresholds& thresholds) {
  constexpr double kMostTimes = 1e6, kMostCounts = 1e9;
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (name == "p50" || name == "p99") {
    const auto times = number(value, "x", 1, kMostTimes);
    (name == "p50" ? thresholds.p50 : thresholds.p99) = times.value_or(1);
    return times ? "" : text + " is not a factor from 1 on: " + name + "=1.5x";
  }
  if (name == "floor") {
    const auto ns = read_duration(value);
    thresholds.floor_ns = ns.value_or(0);
    return ns ? "" : text + " is not a time: floor=500us";
  }
  if (name == "failed" || name == "count") {
    const auto percent = number(value, "%", 0, 100);
    (name == "failed" ? thresholds.failed : thresholds.count) = percent.value_or(0) / 100;
    return percent ? "" : text + " is not a percentage from 0 to 100: " + name + "=5%";
  }
  if (name == "few") {
    const auto few = number(value, "", 0, kMostCounts);
    thresholds.few = static_cast<uint64_t>(few.value_or(0));
    return few && value.find('.') == std::string::npos ? "" : text + " is not a number: few=10";
  }
  return text + " is not a threshold: p50=2x, p99=2x, floor=1ms, failed=0%, count=10%, few=3";
}

void add_sides(CLI::App& command, DiffOptions& options) {
  command
      .add_option("BEFORE", options.one_before, "pcap or pcapng, plain, gzip or zstd; - is standard input")
      ->type_name("")
      ->option_text("");
  command.add_option("AFTER", options.one_after, "what to compare it with")->type_name("")->option_text("");
  command.add_option("--before", options.before, "instead of BEFORE: captures that are read as one trace")
      ->type_name("CAPTURE")
      ->option_text("CAPTURE ...");
  command.add_option("--after", options.after, "the same instead of AFTER")
      ->type_name("CAPTURE")
      ->option_text("CAPTURE ...");
}

}  // namespace

void DiffOptions::prepare() {
  check_rules(policy);
  const bool pair = !one_after.empty() && before.empty() && after.empty();
  const bool sets = one_before.empty() && !before.empty() && !after.empty();
  if (!pair && !sets) {
    throw host::Failure(
        "diff: compares BEFORE with AFTER, or --before CAPTURE... with --after CAPTURE...; see "
        "steertag diff --help");
  }
  if (pair) {
    before = {one_before};
    after = {one_after};
  }
  const auto from_input = [](const std::vector<std::string>& captures) {
    return std::find(captures.begin(), captures.end(), "-") != captures.end();
  };
  if (from_input(before) && from_input(after)) {
    throw host::Failure("standard input: can be read only once");
  }
  thresholds.strict = policy.strict;
  if (!policy.require.empty()) {
    thresholds.required = [this](const rules::Rule& rule) {
      return std::any_of(policy.require.begin(), policy.require.end(),
                         [&](const std::string& word) { return rules::meant(rule, word); });
    };
  }
}

ReadingOptions DiffOptions::reading_of(const std::vector<std::string>& captures, size_t others) const {
  ReadingOptions made = reading;
  made.captures = captures;
  made.others = others;
  return made;
}

void add_diff_options(CLI::App& command, DiffOptions& options) {
  add_sides(command, options);
  add_reading_options(command, options.reading, {"text", "jsonl", "markdown"}, Captures::by_command);
  say_written_whole(command);
  add_pager_option(command, options.reading.pager);
  add_rule_choice(command, options.policy);
  take_list(command.add_option("--require", options.policy.require,
                               "that one of these was judged before and is not now is a\nregression"),
            "RULES");
  command
      .add_option("--fail-on", options.fail_on,
                  "exit with 1 where there is one: regression, difference,\nnever")
      ->check(one_of({"regression", "difference", "never"}))
      ->type_name("WHAT");
  command
      .add_option_function<std::vector<std::string>>(
          "--threshold",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              set_threshold(text, options.thresholds);
            }
          },
          "where differences begin (below), as often as wanted")
      ->check(CLI::Validator(
          [](std::string& text) {
            diff::Thresholds scratch;
            return set_threshold(text, scratch);
          },
          ""))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command
      .add_option("--min-count", options.thresholds.least_rpcs,
                  "RPCs of an operation that both sides need before their\nlatencies are compared (30)")
      ->check(whole("a number of RPCs", 1, UINT32_MAX))
      ->default_str("")
      ->type_name("N");
}

}  // namespace steertag::cli
