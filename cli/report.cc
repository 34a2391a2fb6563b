// steertag report: a capture for eyes: one HTML file with everything that audit, flows and stats say.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "configure.h"
#include "host/failure.h"
#include "host/packed.h"
#include "product/page.h"
#include "rule_options.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct PageOptions : product::PageOptions {
  ReadingOptions reading;
};

void prepare(PageOptions& options) {
  configure(options.policy, options.reading);
  check_rules(options.policy);
  if (options.reading.output.empty() && !options.reading.jsonl() && isatty(STDOUT_FILENO) != 0) {
    throw host::Failure("report: its page goes to a file, as in -o report.html");
  }
}

}  // namespace

void add_report(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<PageOptions>();
  options->reading.format = "html";
  CLI::App* command =
      app.add_subcommand("report", "all of this for eyes: one HTML file, opened in a browser");
  add_reading_options(*command, options->reading, {"html", "jsonl"});
  command->get_option("--format")
      ->description("html (the page), or jsonl: the records that it is made\nfrom, for programs");
  add_rule_choice(*command, options->policy);
  add_baseline_options(*command, options->policy, options->reading);
  command->remove_option(command->get_option("--strict-baseline"));
  add_config_options(*command, options->policy, options->reading);
  command
      ->add_option(
          "--rpcs", options->rpcs,
          "how many RPCs the page holds one by one (100000), as an\neven sample; and a quarter each of the "
          "slowest, and of\nthose that failed or have findings")
      ->check(whole("a number of RPCs", 4, 1'000'000))
      ->default_str("")
      ->type_name("N");
  command->footer(
      "The page says in words what the capture is, whether it is healthy and what stands out; then\n"
      "the findings with the rules explained, a timeline of every connection (latency of each RPC,\n"
      "Calls outstanding against credits, throughput), the ladder of one RPC, the operations, and\n"
      "which rules were kept or never applied. It is one file: nothing is loaded from anywhere, and\n"
      "nothing is installed. It has a link for every RPC, finding and view.\n"
      "Whatever is left out of the page is said in it; what is worst is kept.\n"
      "\n"
      "Exit status: 0 written, 2 could not do the work.\n"
      "\n"
      "Examples:\n"
      "  steertag report nfs.pcap -o report.html\n"
      "  steertag report client.pcap server.pcap -o report.html\n"
      "  steertag report --baseline known.toml nightly.pcapng.zst -o report.html\n"
      "  steertag report --rpcs 20000 day.pcapng.zst -o report.html\n"
      "  steertag report --format jsonl nfs.pcap | jq -c 'select(.type == \"note\")'");
  command->callback([options, &chosen] {
    chosen = [options] {
      prepare(*options);
      host::PackedPage page;
      host::TakingTurns turns;
      options->wrapping = options->reading.jsonl() ? nullptr : &page;
      product::PageRecords records(options->rpcs, options->reading.memory, &turns);
      return run(options->reading, [&](product::Context& context) {
        return std::make_unique<product::PageProduct>(context, *options, records);
      });
    };
  });
}

}  // namespace steertag::cli
