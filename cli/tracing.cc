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
