// steertag decode: what does every transport header say?

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "commands.h"
#include "report/json.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct DecodeOptions {
  ReadingOptions reading;
  Filter filter;
  std::vector<uint64_t> frames;  // numbers; empty: all
  bool verbose = false;

  bool wants(const flow::Message& message) const {
    const auto among = [&](const Stamp& at) {
      return std::find(frames.begin(), frames.end(), at.number) != frames.end();
    };
    return filter.wants_connection(message.connection->number) && filter.wants_xid(message.header->xid) &&
           (frames.empty() || among(message.at) ||
            std::any_of(message.frames.begin(), message.frames.end(), among));
  }
};

class Decode final : public product::Product {
 public:
  Decode(product::Context& context, const DecodeOptions& options) : Product(context), options_(options) {}

  void begin() override {
    context_.style.verbose = options_.verbose;
    if (!options_.reading.jsonl()) {
      report::text_files(context_.out(), context_.style);
    }
  }

  void finish(const product::Ended&) override { all_exist_ = options_.filter.all_exist(announced_); }
  int status() const override { return all_exist_ ? 0 : 2; }
  std::string_view whole_only() const override { return options_.filter.connections.empty() ? "" : "--conn"; }
  bool chooses_by_number() const override { return !options_.filter.connections.empty(); }

 private:
  void named(const track::Connection& connection) override {
    announced_.push_back(connection.number);
    if (options_.filter.wants_connection(connection.number)) {
      announce(connection);
      heading_ = false;  // again, below that
    }
  }

  void merge(const Share& share) override {
    Product::merge(share);
    const auto& other = static_cast<const Decode&>(share.product);
    announced_.insert(announced_.end(), other.announced_.begin(), other.announced_.end());
  }

  void message(const flow::Message& message) override {
    if (!options_.wants(message)) {
      return;
    }
    if (options_.reading.jsonl()) {
      report::json_message(context_.out(), message, context_.style.files);
    } else {
      if (!heading_) {
        report::text_message_heading(context_.out(), context_.style);
        context_.records.heading_done();
        heading_ = true;
      }
      report::text_message(context_.out(), message, context_.style);
    }
    context_.records.record_done();
  }

  const DecodeOptions& options_;
  bool heading_ = false;
  std::vector<uint32_t> announced_;
  bool all_exist_ = true;
};

}  // namespace

void add_decode(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<DecodeOptions>();
  CLI::App* command =
      app.add_subcommand("decode", "what every RPC-over-RDMA transport header says, field by field");
  add_reading_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  add_filter_options(*command, options->filter);
  take_list(
      command->add_option("--frame", options->frames, "only messages that frame N carried, or part of them"),
      "N")
      ->check(whole("the number of a frame", 1, UINT64_MAX));
  command->add_flag("-v,--verbose", options->verbose, "every field with its offset and length");
  command->footer(
      "Examples:\n"
      "  steertag decode nfs.pcap                        a line for each message, its chunks below\n"
      "  steertag decode -v --xid 0x1a2b3c4d nfs.pcap    every field of one Call and its Reply\n"
      "  steertag decode -v --frame 975 nfs.pcap         the message in one frame\n"
      "  steertag decode --format jsonl nfs.pcap.zst | jq 'select(.stop)'\n"
      "                                                  headers that could not be read to their end");
  command->callback([options, &chosen] {
    chosen = [options] {
      options->filter.prepare();
      return run(options->reading,
                 [&](product::Context& context) { return std::make_unique<Decode>(context, *options); });
    };
  });
}

}  // namespace steertag::cli
