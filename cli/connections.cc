// steertag connections: who talked to whom, and how?

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include "commands.h"
#include "report/json.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct ConnectionsOptions {
  ReadingOptions reading;
  bool all = false;
};

// Keeps every connection until the end: only then is each known in full, and
// only then can they be printed in order.
class Connections final : public Reporter {
 public:
  Connections(Context& context, const ConnectionsOptions& options) : Reporter(context), options_(options) {}

  std::string_view whole_only() const override { return "connections"; }

  void end(const Ended&) override {
    std::sort(kept_.begin(), kept_.end(), before);
    if (!options_.reading.jsonl() && !kept_.empty()) {
      report::text_files(context_.out(), context_.style);
    }
    uint32_t number = 0;
    for (const track::Connection& connection : kept_) {
      number = connection.number != 0 ? uint32_t{connection.number} : number + 1;
      if (options_.reading.jsonl()) {
        report::json_connection(context_.out(), connection, number, report::Stage::ended,
                                context_.style.files);
      } else {
        if (number > 1) {
          report::put(context_.out(), '\n');
        }
        report::text_connection(context_.out(), connection, number, context_.style);
      }
      context_.records.record_done();
    }
  }

 private:
  void closed(const track::Connection& connection) override {
    if (connection.rpcrdma || options_.all) {
      kept_.push_back(connection);
    }
  }

  void take_over(const Share& share) override {
    for (track::Connection& connection : static_cast<Connections&>(share.reporter).kept_) {
      connection.number = share.merger.number(share.place, connection.number);
      kept_.push_back(connection);
    }
  }

  // Those that carry RPC-over-RDMA have numbers and come first; the others
  // follow in order of their first frame.
  static bool before(const track::Connection& a, const track::Connection& b) {
    const auto key = [](const track::Connection& c) {
      return std::tuple(c.number == 0, c.number, c.first_frame.time_ns, c.first_frame.file,
                        c.first_frame.number);
    };
    return key(a) < key(b);
  }

  const ConnectionsOptions& options_;
  std::vector<track::Connection> kept_;
};

}  // namespace

void add_connections(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<ConnectionsOptions>();
  CLI::App* command = app.add_subcommand(
      "connections", "who talked to whom, with which transport, version, inline\nthresholds, credits");
  add_reading_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  command->add_flag("--all", options->all, "also RDMA connections that carry no RPC-over-RDMA");
  command->footer(
      "Examples:\n"
      "  steertag connections nfs.pcap\n"
      "  steertag connections --all --format jsonl fabric.pcapng | jq -c 'select(.rpcrdma == false)'");
  command->callback([options, &chosen] {
    chosen = [options] {
      return run(options->reading,
                 [&](Context& context) { return std::make_unique<Connections>(context, *options); });
    };
  });
}

}  // namespace steertag::cli
