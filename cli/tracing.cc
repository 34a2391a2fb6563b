// steertag trace: when did each RPC do what, beside the others, on a time line?

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "commands.h"
#include "host/failure.h"
#include "product/trace.h"
#include "rpc_options.h"
#include "rule_options.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct TraceOptions : product::TraceOptions {
  ReadingOptions reading;
  XidTexts xids;
  std::string otlp;  // empty: not asked for

  // Decides what goes where. Throws Failure where nothing was asked for.
  void prepare();
};

void TraceOptions::prepare() {
  cli::prepare(selection, xids);
  check_rules(policy);
  if (reading.output.empty() && otlp.empty()) {
    throw host::Failure("trace: writes nothing: -o FILE is for Perfetto, --otlp FILE for OpenTelemetry");
  }
  if (reading.output == otlp) {
    throw host::Failure(otlp + ": is for Perfetto, by -o, and for OpenTelemetry, by --otlp");
  }
  if (reading.output.empty()) {
    reading.output = otlp;
    reading.format = "otlp";
  } else if (!otlp.empty()) {
    reading.reports.push_back({"otlp", otlp});
  }
}

}  // namespace

void add_trace(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<TraceOptions>();
  CLI::App* command =
      app.add_subcommand("trace", "RPCs on a time line: a trace for Perfetto, spans for OpenTelemetry");
  add_reading_options_of(*command, options->reading, "perfetto");
  command->get_option("--output")
      ->description(
          "the trace, which ui.perfetto.dev opens; - is standard\noutput; what FILE held stays until "
          "all of the result\nis there");
  command->get_option("--threads")
      ->description(
          "with 1, one thread does everything; with more (as many\nas there are cores), one reads and one "
          "follows\nconnections; the output is always the same");
  command
      ->add_option("--otlp", options->otlp,
                   "the same as spans, in OTLP's JSON: each line is a\nrequest that a collector takes")
      ->type_name("FILE");
  add_selection_options(*command, options->selection, options->xids);
  add_rule_choice(*command, options->policy);
  command->remove_option(command->get_option("--strict"));
  command->footer(
      "In Perfetto each connection has, below its name: findings; the Calls outstanding and the credits\n"
      "granted; slots, in which RPCs lie side by side as they do in the Requester's credits, each with its\n"
      "phases below it; Replies, each with an arrow from its Call; and what RDMA moved, by segments.\n"
      "An RPC without a Reply ends with its connection, or stays open.\n"
      "\n"
      "In OpenTelemetry each RPC is a trace: a span of the client, spans of its phases in it, and what was\n"
      "found of it as events. The same capture gives the same identifiers.\n"
      "\n"
      "Examples:\n"
      "  steertag trace nfs.pcap -o nfs.perfetto-trace     open it in https://ui.perfetto.dev\n"
      "  steertag trace --from 12.5 --to 14 --server 10.9.0.1 nfs.pcap -o slow.perfetto-trace\n"
      "  steertag trace --min-latency 10ms nfs.pcap --otlp spans.jsonl\n"
      "  while read -r request; do curl -H 'Content-Type: application/json' -d \"$request\" \\\n"
      "    http://localhost:4318/v1/traces; done < spans.jsonl");
  command->callback([options, &chosen] {
    chosen = [options] {
      options->prepare();
      return run(options->reading, [&](product::Context& context) {
        return std::make_unique<product::TraceProduct>(context, *options);
      });
    };
  });
}

}  // namespace steertag::cli
