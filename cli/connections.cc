// steertag connections: who talked to whom, and how?

#include "product/connections.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct ConnectionsOptions : product::ConnectionsOptions {
  ReadingOptions reading;
};

}  // namespace

void add_connections(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<ConnectionsOptions>();
  CLI::App* command = app.add_subcommand(
      "connections", "who talked to whom, with which transport, version, inline\nthresholds, credits");
  add_reading_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  command->add_flag("--all", options->all, "also RDMA connections that carry no RPC-over-RDMA");
  command->add_flag("-v,--verbose", options->verbose,
                    "of each transport characteristic, all values that it\nhad, and from when on");
  command->callback([options, &chosen] {
    chosen = [options] {
      return run(options->reading, [&](product::Context& context) {
        return std::make_unique<product::ConnectionsProduct>(context, *options);
      });
    };
  });
}

}  // namespace steertag::cli
