// steertag losses: which packets were lost or sent again, how was it noticed, what did it cost?

#include "product/losses.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "run.h"

namespace steertag::cli {
void add_losses(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<ReadingOptions>();
  CLI::App* command = app.add_subcommand(
      "losses", "every packet that was lost or sent again: noticed how,\nlost where, and what it cost");
  add_reading_options(*command, *options, {"text", "jsonl", "csv"});
  add_pager_option(*command, options->pager);
  command->callback([options, &chosen] {
    chosen = [options] {
      return run(*options,
                 [](product::Context& context) { return std::make_unique<product::LossesProduct>(context); });
    };
  });
}

}  // namespace steertag::cli
