// steertag connections: who talked to whom, and how?

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "commands.h"
#include "report/json.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct ConnectionsOptions {
  ReadingOptions reading;
  bool all = false;
  bool verbose = false;
};

// Keeps every connection until the end: only then is each known in full, and
// only then can they be printed in order.
class Connections final : public product::Product {
 public:
  Connections(product::Context& context, const ConnectionsOptions& options)
      : Product(context), options_(options) {}

  std::string_view whole_only() const override { return "connections"; }
  bool for_rules() const override { return true; }  // by what its messages say, too, a connection is known

  void begin() override { context_.style.verbose = options_.verbose; }

  void finish(const product::Ended&) override {
    std::sort(kept_.begin(), kept_.end(), before);
    if (!options_.reading.jsonl() && !kept_.empty()) {
      report::text_files(context_.out(), context_.style);
    }
    uint32_t number = 0;
    for (const auto& [connection, in_force] : kept_) {
      number = connection.number != 0 ? uint32_t{connection.number} : number + 1;
      if (options_.reading.jsonl()) {
        report::json_connection(context_.out(), connection, number, report::Stage::ended,
                                context_.style.files, connection.rpcrdma ? &in_force : nullptr);
      } else {
        if (number > 1) {
          report::put(context_.out(), '\n');
        }
        report::text_connection(context_.out(), connection, number, context_.style, &in_force);
      }
      context_.records.record_done();
    }
  }

 private:
  struct Kept {
    track::Connection connection;
    history::InForce in_force;
  };

  void established(const track::Connection& connection, const history::Ground& ground) override {
    if (connection.rpcrdma || options_.all) {
      kept_.push_back({connection, history::in_force(ground)});
    }
  }

  void merge(const Share& share) override {
    Product::merge(share);
    for (Kept& kept : static_cast<Connections&>(share.product).kept_) {
      kept.connection.number = share.merger.number(share.place, kept.connection.number);
      kept_.push_back(std::move(kept));
    }
  }

  // Those that carry RPC-over-RDMA have numbers and come first; the others
  // follow in order of their first frame.
  static bool before(const Kept& a, const Kept& b) {
    const auto key = [](const Kept& kept) {
      const track::Connection& c = kept.connection;
      return std::tuple(c.number == 0, c.number, c.first_frame.time_ns, c.first_frame.file,
                        c.first_frame.number);
    };
    return key(a) < key(b);
  }

  const ConnectionsOptions& options_;
  std::vector<Kept> kept_;
};

}  // namespace

void add_connections(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<ConnectionsOptions>();
  CLI::App* command = app.add_subcommand(
      "connections", "who talked to whom, with which transport, version, inline\nthresholds, credits");
  add_reading_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  command->add_flag("--all", options->all, "also RDMA connections that carry no RPC-over-RDMA");
  command->add_flag("-v,--verbose", options->verbose,
                    "of each transport characteristic, all values that it\nhad, and from when on");
  command->footer(
      "Examples:\n"
      "  steertag connections nfs.pcap\n"
      "  steertag connections --all --format jsonl fabric.pcapng | jq -c 'select(.rpcrdma == false)'");
  command->callback([options, &chosen] {
    chosen = [options] {
      return run(options->reading,
                 [&](product::Context& context) { return std::make_unique<Connections>(context, *options); });
    };
  });
}

}  // namespace steertag::cli
