// steertag stats: which operations took how long, how much, how often failed; when; and why?

#include "report/stats.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "report/text_stats.h"
#include "rpc_bounds.h"
#include "rpc_choice.h"
#include "run.h"
#include "stats/attempts.h"
#include "stats/groups.h"
#include "stats/load.h"
#include "stats/rpc.h"
#include "stats/topics.h"
#include "terminal.h"

namespace steertag::cli {
namespace {

struct StatsOptions {
  ReadingOptions reading;
  Filter filter;
  RpcChoice choice;
  RpcBounds bounds;
  std::vector<std::string> by = {"op"};
  double interval = 0;  // seconds; 0: none

  bool csv() const { return reading.format == "csv"; }
  stats::Grouping grouping() const {
    const auto asked = [&](std::string_view what) {
      return std::find(by.begin(), by.end(), what) != by.end();
    };
    return {.op = asked("op"),
            .connection = asked("conn"),
            .client = asked("client"),
            .server = asked("server"),
            .interval_ns = static_cast<int64_t>(interval * 1e9)};
  }
};

class Stats final : public Reporter {
 public:
  Stats(Context& context, const StatsOptions& options)
      : Reporter(context), options_(options), groups_(options.grouping()) {}

  void begin() override {
    context_.style.width = options_.reading.output.empty() ? terminal_width() : 0;
    context_.style.utf8 = utf8_locale();
  }

  void end(const Counters&) override {
    all_exist_ = options_.filter.all_exist(announced_);
    attempts_.finish();
    if (options_.csv()) {
      report::csv_heading(context_.out(), groups_.by());
      context_.records.record_done();
      stat_lines(report::csv_stat);
    } else if (options_.reading.jsonl()) {
      stat_lines(report::json_stat);
      load_lines();
    } else if (groups_.all().count != 0) {
      text();
    }
  }

  int status() const override { return all_exist_ ? 0 : 2; }
  bool for_reports() const override { return true; }
  std::string_view whole_only() const override { return "stats"; }
  bool chooses_by_number() const override { return !options_.filter.connections.empty(); }

 private:
  bool wanted(const track::Connection& connection) const {
    return options_.filter.wants_connection(connection.number) && options_.bounds.wants(connection);
  }

  void named(const track::Connection& connection) override {
    announced_.push_back(connection.number);
    if (options_.reading.jsonl() && wanted(connection)) {
      announce(connection);
    }
  }
  void passed(const track::Connection& connection, const flow::Transit& transit) override {
    loads_.note(connection, transit);
  }
  void closed(const track::Connection& connection) override {
    if (wanted(connection)) {
      loads_.close(connection);
    }
  }
  void message(const flow::Message& message) override { loads_.note(message); }
  void congested(const track::Connection& connection, const track::Congestion& congestion) override {
    loads_.note(connection, congestion);
  }
  void timed(const flow::Exchange& exchange) override {
    if (wanted(*exchange.connection) && options_.filter.wants_xid(exchange.xid) &&
        options_.choice.wants(exchange) && options_.bounds.wants(exchange, context_.style.origin_ns)) {
      attempts_.add(stats::rpc_of(exchange));
      loads_.note(exchange);
    }
  }

  void take_over(const Share& share) override {
    auto& other = static_cast<Stats&>(share.reporter);
    other.attempts_.finish();
    const auto number = [&](track::ConnectionNumber theirs) {
      return share.merger.number(share.place, theirs);
    };
    groups_.take_over(other.groups_, number);
    topics_.take_over(other.topics_, number);
    loads_.take_over(other.loads_, number);
    announced_.insert(announced_.end(), other.announced_.begin(), other.announced_.end());
  }

  void stat_lines(void (*line)(report::Buffer&, const report::Stat&)) {
    const auto one = [&](const stats::Key* key, std::optional<int64_t> start_ns,
                         const stats::Totals& totals) {
      line(context_.out(), {groups_.by(), key, start_ns, totals});
      context_.records.record_done();
    };
    for (const stats::Group* group : groups_.dearest_first()) {
      for (const auto& [start_ns, totals] : group->intervals) {
        one(&group->key, start_ns, totals);
      }
      if (groups_.by().interval_ns == 0) {
        one(&group->key, std::nullopt, group->totals);
      }
    }
    if (groups_.rest().count != 0) {
      one(nullptr, std::nullopt, groups_.rest());
    }
  }

  void text() {
    report::Buffer& out = context_.out();
    report::text_files(out, context_.style);
    report::text_stats(out, groups_, context_.style);
    if (!options_.reading.quiet) {
      report::put(out, '\n');
      report::text_loads(out, loads_, context_.style);
      report::put(out, '\n');
      report::text_remarks(out, {topics_, loads_, groups_.all()}, context_.style);
    }
    context_.records.record_done();
  }

  void load_lines() {
    const auto one = [&](const stats::Load& load) {
      report::json_load(context_.out(), load);
      context_.records.record_done();
    };
    for (const stats::Load* load : loads_.in_order()) {
      one(*load);
    }
    if (loads_.rest() != nullptr) {
      one(*loads_.rest());
    }
  }

  const StatsOptions& options_;
  stats::Groups groups_;
  stats::Topics topics_;
  stats::Loads loads_;
  stats::Attempts attempts_{[this](const stats::Rpc& rpc) {
    groups_.add(rpc);
    topics_.add(rpc);
  }};
  std::vector<uint32_t> announced_;
  bool all_exist_ = true;
};

CLI::Validator length_of_interval() {
  return {[](std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && value >= 1e-6 && value <= 1e9
                       ? std::string()
                       : text + " is not a number of seconds from 0.000001 to 1000000000";
          },
          ""};
}

}  // namespace

void add_stats(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<StatsOptions>();
  CLI::App* command =
      app.add_subcommand("stats", "which operations took how long, how much, how often failed, and why");
  add_reading_options(*command, options->reading, {"text", "jsonl", "csv"});
  add_filter_options(*command, options->filter);
  add_choice_options(*command, options->choice);
  add_bounds_options(*command, options->bounds);
  take_list(
      command->add_option("--by", options->by,
                          "what the RPCs of a line have in common: any of op, conn,\nclient, server (op)"),
      "KEYS")
      ->check(CLI::IsMember({"op", "conn", "client", "server"}).description(""))
      ->default_str("");
  command
      ->add_option("--interval", options->interval,
                   "for each group and so many seconds; an RPC counts when\nits Call was sent")
      ->check(length_of_interval())
      ->type_name("SECONDS")
      ->default_str("");
  command->footer(
      "A line for each group of RPCs, the one that took the most time first: how many, how many\n"
      "of them failed (an NFS status that is not OK, refused, a transport error), the time from\n"
      "Call to delivered Reply (mean, median, p99, longest), their share of all time, bytes of\n"
      "arguments and of results, and the phase that most of it went by in:\n"
      "  call    until the Call was accepted          write   until the last RDMA Write\n"
      "  start   until the first RDMA Read            finish  until the Reply was sent\n"
      "  read    until the last was answered          reply   until it was accepted\n"
      "  serve   until the first RDMA Write, or the Reply\n"
      "A Call that was sent several times is one RPC, from the first time on (earlier: until it\n"
      "was sent for the last time).\n"
      "Columns without room are left out: COLUMNS says how wide a line is where there is no\n"
      "terminal. RPCs whose time the capture does not show are counted, and are not in the times.\n"
      "Then a paragraph for each connection; and in words, with the frame to look at, what\n"
      "stands out: waiting for credits, loss, a slow server or client, failures, retries.\n"
      "\n"
      "Examples:\n"
      "  steertag stats nfs.pcap                       where did the time go?\n"
      "  steertag stats --by op,client nfs.pcap        whose?\n"
      "  steertag stats --interval 1 nfs.pcap          when?\n"
      "  steertag stats --interval 60 --format csv ring*.pcap.gz > nfs.csv\n"
      "  steertag stats --format jsonl nfs.pcap | jq -r 'select(.type == \"stat\") |\n"
      "    [.op, .count, .delivered_us.p99] | @tsv'");
  command->callback([options, &chosen] {
    chosen = [options] {
      options->filter.prepare();
      options->choice.check_names();
      options->bounds.prepare();
      return run(options->reading,
                 [&](Context& context) { return std::make_unique<Stats>(context, *options); });
    };
  });
}

}  // namespace steertag::cli
