// steertag losses: which packets were lost or sent again, how was it noticed, what did it cost?

#include "product/losses.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "run.h"

namespace steertag::cli {
namespace {

constexpr const char* kLossesFooter =
    "A row is a run of packets that were lost together. Its columns:\n"
    "  conn, time, from  the connection; when the first copy was sent; who sent it\n"
    "  lost              PSN or TCP sequence number of the first packet, and how many, at least\n"
    "  where             on which side of the tap; ? where the capture does not show it\n"
    "  sent              the frame of the first copy\n"
    "  noticed by        a NAK, an RNR NAK with its timer, a repeated Read Request, repeated TCP\n"
    "                    acknowledgments, or a timeout with the time that the sender was idle\n"
    "  sent again        the first frame that was sent again; packets: how many were\n"
    "  delay, waited     until a copy was accepted; the RPCs that waited\n"
    "A sentence for each connection and sender follows. A RoCE receiver discards what follows a lost\n"
    "packet, so more is sent again than was lost.\n"
    "Behind the tap: the capture has a copy that did not arrive. Before it: the capture has no copy,\n"
    "but has packets that follow. Frames that the capture misses are no loss: connections has them.\n"
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
