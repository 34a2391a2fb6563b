// steertag decode: what does every transport header say?

#include "product/decode.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>

#include "commands.h"
#include "rpc_options.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct DecodeOptions : product::DecodeOptions {
  ReadingOptions reading;
  XidTexts xids;
};

}  // namespace

void add_decode(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<DecodeOptions>();
  CLI::App* command =
      app.add_subcommand("decode", "what every RPC-over-RDMA transport header says, field by field");
  add_reading_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  add_filter_options(*command, options->filter, options->xids);
  take_list(
      command->add_option("--frame", options->frames, "only messages that frame N carried, or part of them"),
      "N")
      ->check(whole("the number of a frame", 1, UINT64_MAX));
  command->add_flag("-v,--verbose", options->verbose, "every field with its offset and length");
  command->callback([options, &chosen] {
    chosen = [options] {
      prepare(options->filter, options->xids);
      return run(options->reading, [&](product::Context& context) {
        return std::make_unique<product::DecodeProduct>(context, *options);
      });
    };
  });
}

}  // namespace steertag::cli
