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

constexpr const char* kSummaryFooter =
    "At most 25 lines: what the capture is of; the verdict; what happened (incidents), the gravest\n"
    "first, with its time (UTC), its frame, who is to blame and what it cost; what to run next.\n"
    "steertag CAPTURE... is the same. A connection that was lost is one incident with the attempts\n"
    "to connect again and the Calls that waited; so is a storm of RNR NAKs, or a rule that one\n"
    "server breaks a hundred times.\n"
    "\n"
    "Exit status: as of audit: 0 nothing at or above --fail-on, 1 something, 2 could not do the work.\n"
    "\n"
    "Examples:\n"
    "  steertag nfs.pcap\n"
    "  steertag summary --answer-within 30 ring*.pcap.gz\n"
    "  steertag summary -i eth0 --duration 10m         what happens now?\n"
    "  steertag summary --format jsonl nfs.pcap | jq -r 'select(.type == \"incident\") | .text'";

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
  command->footer(kSummaryFooter);
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
