// steertag flows: what did each RPC do?

#include "product/flows.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "commands.h"
#include "live_options.h"
#include "rpc_options.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct FlowsOptions : product::FlowsOptions {
  ReadingOptions reading;
  XidTexts xids;
  std::string time = "relative";
};

void prepare(FlowsOptions& options) {
  using Times = report::TextStyle::Times;
  cli::prepare(options.selection, options.xids);
  options.times = options.time == "absolute" ? Times::absolute
                  : options.time == "delta"  ? Times::delta
                                             : Times::relative;
}

}  // namespace

void add_flows(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<FlowsOptions>();
  CLI::App* command = app.add_subcommand(
      "flows", "what each RPC did: its Call, its RDMA Reads and Writes, its Reply, its timing");
  add_reading_options(*command, options->reading, {"text", "jsonl", "csv"});
  add_live_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  add_selection_options(*command, options->selection, options->xids);
  command
      ->add_option("--slowest", options->slowest,
                   "only the N that were waited for longest, the longest\nfirst; also those never answered")
      ->check(whole("a number of RPCs", 1, 1'000'000))
      ->type_name("N");
  command
      ->add_option("--time", options->time,
                   "times since the first frame (relative), as dates in\nUTC (absolute), since the line "
                   "before (delta)")
      ->check(one_of({"relative", "absolute", "delta"}))
      ->type_name("WHICH");
  command->add_flag("--phases", options->phases,
                    "a line for each RPC with where its time went, as a bar\nof 40 columns: e until the Call "
                    "was sent for the last\ntime, c until it was accepted, s until the first RDMA\n"
                    "Read, R its data, . until the first RDMA Write or the\nReply, W the data, f "
                    "until the Reply, r until the copy\nof it that arrived");
  command->add_flag("--ops", options->ops, "a line for each COMPOUND, with all of its operations");
  command->add_flag("--files", options->files,
                    "a line for each RPC with the file that it is about, which\nbytes of it (offset, count), "
                    "and the user (AUTH_SYS)");
  command->add_flag("--chunks", options->chunks,
                    "a line for each segment: what was advertised, moved, returned");
  command->callback([options, command, &chosen] {
    check_live(*command, options->reading);
    chosen = [options] {
      prepare(*options);
      return run(options->reading, [&](product::Context& context) {
        return std::make_unique<product::FlowsProduct>(context, *options);
      });
    };
  });
}

}  // namespace steertag::cli
