// steertag stats: which operations took how long, how much, how often failed; when; and why?

#include "product/stats.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "budget_option.h"
#include "commands.h"
#include "configure.h"
#include "host/terminal.h"
#include "live_options.h"
#include "rpc_options.h"
#include "rule_options.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct StatsOptions : product::StatsOptions {
  ReadingOptions reading;
  XidTexts xids;
};

CLI::Validator length_of_interval() {
  return {[](std::string& text) {
            constexpr int64_t kLeastNs = 1'000, kMostNs = 1'000'000'000'000'000'000;
            const int64_t ns = read_duration(text).value_or(0);
            return ns >= kLeastNs && ns <= kMostNs
                       ? std::string()
                       : text + " is not a time from 1us to 1000000000s: 10ms, 0.5, 1min";
          },
          ""};
}

}  // namespace

void add_stats(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<StatsOptions>();
  CLI::App* command =
      app.add_subcommand("stats", "which operations took how long, how much, how often failed, and why");
  add_reading_options(*command, options->reading, {"text", "jsonl", "csv"});
  add_live_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  add_selection_options(*command, options->selection, options->xids);
  add_budget_option(*command, options->budgets);
  add_patience(*command, options->policy, "is told as a Call that hangs (10)");
  add_config_options(*command, options->policy, options->reading);
  take_list(command->add_option(
                "--by", options->by,
                "what the RPCs of a line have in common: any of op, conn,\nclient, server, file, user (op)"),
            "KEYS")
      ->check(one_of({"op", "conn", "client", "server", "file", "user"}))
      ->default_str("");
  command
      ->add_option_function<std::string>(
          "--interval",
          [&interval_ns = options->interval_ns](const std::string& text) {
            interval_ns = read_duration(text).value_or(0);
          },
          "for each group and so many seconds, or 10ms; an RPC\ncounts when its Call was sent. And when "
          "connections\nwere disturbed: loss, NAKs, ECN, CNPs, pauses")
      ->check(length_of_interval())
      ->type_name("TIME");
  command->callback([options, command, &chosen] {
    check_live(*command, options->reading);
    chosen = [options] {
      configure(options->policy, options->reading);
      prepare(options->selection, options->xids);
      return run(options->reading, [&](product::Context& context) {
        context.style.utf8 = host::utf8_locale();
        return std::make_unique<product::StatsProduct>(context, *options);
      });
    };
  });
}

}  // namespace steertag::cli
