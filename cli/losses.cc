// steertag losses: which packets were lost or sent again, how was it noticed, what did it cost?

#include "product/losses.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "run.h"

namespace steertag::cli {
namespace {

constexpr const char* kLossesFooter =
    "A row for each run of packets that were lost together: the connection; when its first copy was\n"
    "sent; its sender; PSN or TCP sequence number of the first, and how many, at least (of what\n"
    "follows a lost packet a RoCE receiver discards all); on which side of the tap; the frame of the\n"
    "first copy; how its sender noticed: a NAK, an RNR NAK with its timer, a Read asked again, TCP\n"
    "acknowledgments repeated, or a timeout with the time that it had been idle; the first frame and\n"
    "the number of what was sent again; how long until a copy was accepted; who waited. Below, a\n"
    "sentence for each connection and sender.\n"
    "Behind the tap: a copy was seen that did not arrive. In front of it: no copy was seen, and what\n"
    "follows it was. What the capture itself lacks is no loss: connections has it.\n"
    "\n"
    "Examples:\n"
    "  steertag losses nfs.pcap\n"
    "  steertag losses --format csv nfs.pcap > losses.csv\n"
    "  steertag losses --format jsonl nfs.pcap | jq 'select(.type == \"loss\" and .noticed_by == "
    "\"timeout\")'";

}  // namespace

void add_losses(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<ReadingOptions>();
  CLI::App* command = app.add_subcommand(
      "losses", "every packet that was lost or sent again: noticed how,\nlost where, and what it cost");
  add_reading_options(*command, *options, {"text", "jsonl", "csv"});
  add_pager_option(*command, options->pager);
  command->footer(kLossesFooter);
  command->callback([options, &chosen] {
    chosen = [options] {
      return run(*options,
                 [](product::Context& context) { return std::make_unique<product::LossesProduct>(context); });
    };
  });
}

}  // namespace steertag::cli
