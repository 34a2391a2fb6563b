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
  command->footer(
      "Columns: frames of Call and Reply; time; latency, from the Call to the copy of the Reply\n"
      "that arrived, of all attempts (> where no Reply was captured, - where none arrived); XID;\n"
      "procedure (of a COMPOUND: the operation that it is for); bytes of arguments and of results,\n"
      "chunks included; bytes moved through chunks and in how many segments (result: by the Read\n"
      "list of a Reply, RFC 5666); the error that answered it; in brackets, why an RPC is\n"
      "incomplete: frames missing, header cut by the snap length, answered in parts, begun before\n"
      "the capture, capture ended.\n"
      "\n"
      "Examples:\n"
      "  steertag flows nfs.pcap                      one line for each RPC, a summary at the end\n"
      "  steertag flows --slowest 10 --phases nfs.pcap\n"
      "  steertag flows --from 12.5 --to 14 --min-latency 10ms --server 10.9.0.1 nfs.pcap\n"
      "  steertag flows --op READ,WRITE --failed nfs.pcap\n"
      "  steertag flows --incomplete ring*.pcap.gz    RPCs without an end, over a whole ring of files\n"
      "  steertag flows -i eth0 --duration 10m --op WRITE --min-latency 50ms\n"
      "  tcpdump -i any -U -w - udp port 4791 | steertag flows -\n"
      "  steertag flows --format jsonl nfs.pcap | jq -r 'select(.xid) | [.xid, .op, .delivered_us] | "
      "@tsv'\n"
      "  steertag flows --format csv nfs.pcap > rpcs.csv   without the segments of chunks");
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
