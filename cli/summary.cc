// steertag summary: what happened, on one screen?

#include "product/summary.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "configure.h"
#include "live_options.h"
#include "rule_options.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct SummaryOptions : product::SummaryOptions {
  ReadingOptions reading;
};

}  // namespace

void add_summary(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<SummaryOptions>();
  CLI::App* command =
      app.add_subcommand("summary", "what happened: incidents, whose fault, where to look (the\ndefault)");
  add_reading_options(*command, options->reading);
  add_live_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  add_rule_options(*command, options->policy);
  add_config_options(*command, options->policy, options->reading);
  command->callback([options, command, &chosen] {
    check_live(*command, options->reading);
    chosen = [options] {
      configure(options->policy, options->reading);
      check_rules(options->policy);
      return run(options->reading, [&](product::Context& context) {
        return std::make_unique<product::SummaryProduct>(context, *options);
      });
    };
  });
}

}  // namespace steertag::cli
