#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "commands.h"
#include "help.h"
#include "version.h"

namespace steertag::cli {

void describe(CLI::App& app, Work& chosen) {
  const std::string version = version_line();
  app.name("steertag");
  app.description("Analyzer of RPC-over-RDMA (NFS/RDMA) captures.");
  app.set_version_flag("--version", version, "show the version and exit");
  app.set_help_flag("-h,--help", "show this help and exit");
  app.require_subcommand(1);
  app.formatter(std::make_shared<Help>());
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.footer(
      "steertag COMMAND --help explains a command and shows examples.\n"
      "\n"
      "Exit status: 0 done, 1 audit or diff found something, 2 could not do the\n"
      "work (one line on standard error says why).");
  add_summary(app, chosen);
  add_audit(app, chosen);
  add_baseline(app, chosen);
  add_flows(app, chosen);
  add_stats(app, chosen);
  add_losses(app, chosen);
  add_report(app, chosen);
  add_trace(app, chosen);
  add_decode(app, chosen);
  add_connections(app, chosen);
  add_diff(app, chosen);
  add_extract(app, chosen);
  add_annotate(app, chosen);
  add_sanitize(app, chosen);
  add_merge(app, chosen);
  add_rules(app, chosen);
  add_schema(app, chosen);
  add_synth(app, chosen);
  for (CLI::App* command : app.get_subcommands({})) {
    command->group("Commands");
    command->set_version_flag("--version", version, "show the version and exit");
    if (const std::string_view text = help_text(command->get_name() + ".txt"); !text.empty()) {
      command->footer(std::string(text.substr(0, text.size() - 1)));
    }
  }
}

}  // namespace steertag::cli
