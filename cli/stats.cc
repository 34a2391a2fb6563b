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

#include "base/counted.h"
#include "commands.h"
#include "report/text_stats.h"
#include "rpc_bounds.h"
#include "rpc_selection.h"
#include "run.h"
#include "stats/attempts.h"
#include "stats/disturbances.h"
#include "stats/groups.h"
#include "stats/judge.h"
#include "stats/load.h"
#include "stats/rpc.h"
#include "stats/topics.h"
#include "terminal.h"

namespace steertag::cli {
namespace {

struct StatsOptions {
  ReadingOptions reading;
  RpcSelection selection;
  std::vector<std::string> by = {"op"};
  int64_t interval_ns = 0;  // 0: none

  bool csv() const { return reading.format == "csv"; }
  stats::Grouping grouping() const {
    const auto asked = [&](std::string_view what) {
      return std::find(by.begin(), by.end(), what) != by.end();
    };
    return {.op = asked("op"),
            .connection = asked("conn"),
            .client = asked("client"),
            .server = asked("server"),
            .interval_ns = interval_ns};
  }
};

class Stats final : public Reporter {
 public:
  Stats(Context& context, const StatsOptions& options)
      : Reporter(context),
        options_(options),
        groups_(options.grouping()),
        disturbances_(options.interval_ns) {}

  void begin() override { context_.style.utf8 = utf8_locale(); }

  void end(const Ended&) override {
    all_exist_ = options_.selection.filter.all_exist(announced_);
    attempts_.finish();
    if (options_.csv()) {
      report::csv_heading(context_.out(), groups_.by());
      context_.records.record_done();
      stat_lines(report::csv_stat);
    } else if (options_.reading.jsonl()) {
      stat_lines(report::json_stat);
      disturbance_lines();
      load_lines();
      if (!options_.reading.quiet) {
        note_lines();
      }
    } else if (groups_.all().count != 0) {
      text();
    } else if (seen_ != 0) {
      report::print(context_.out(), "Of {} none matches what was asked for\n", base::counted(seen_, "RPC"));
      context_.records.record_done();
    }
  }

  int status() const override { return all_exist_ ? 0 : 2; }
  bool for_reports() const override { return true; }
  std::string_view whole_only() const override { return "stats"; }
  bool chooses_by_number() const override { return !options_.selection.filter.connections.empty(); }

 private:
  void named(const track::Connection& connection) override {
    announced_.push_back(connection.number);
    if (options_.reading.jsonl() && options_.selection.wants(connection)) {
      announce(connection);
    }
  }
  void passed(const track::Connection& connection, const flow::Transit& transit) override {
    loads_.note(connection, transit);
  }
  void closed(const track::Connection& connection) override {
    const bool wanted = options_.selection.wants(connection);
    if (wanted) {
      loads_.close(connection);
    }
    disturbances_.close(connection,
                        wanted ? stats::Disturbances::Wanted::yes : stats::Disturbances::Wanted::no);
  }
  void message(const flow::Message& message) override { loads_.note(message); }
  void congested(const track::Connection& connection, const track::Congestion& congestion) override {
    loads_.note(connection, congestion);
    if (within(congestion.at)) {
      disturbances_.note(connection, congestion);
    }
  }
  void disturbed(const track::Connection& connection, const flow::Disturbance& disturbance) override {
    if (within(disturbance.at)) {
      disturbances_.note(connection, disturbance);
    }
  }
  void paused(const link::Pause& pause, const Stamp& at) override {
    if (pause.stops() && within(at)) {
      disturbances_.note_pause(at);
    }
  }
  bool within(const Stamp& at) const {
    return options_.selection.bounds.within(at.time_ns, context_.style.origin_ns);
  }
  void timed(const flow::Exchange& exchange) override {
    ++seen_;
    if (options_.selection.wants(exchange, context_.style.origin_ns)) {
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
    disturbances_.take_over(other.disturbances_, number);
    seen_ += other.seen_;
    announced_.insert(announced_.end(), other.announced_.begin(), other.announced_.end());
  }

  // With intervals there is a line also for those without an RPC, unless that would be more lines than there
  // may be groups and intervals.
  void stat_lines(void (*line)(report::Buffer&, const report::Stat&)) {
    const auto one = [&](const stats::Key* key, std::optional<int64_t> start_ns,
                         const stats::Totals& totals) {
      line(context_.out(), {groups_.by(), key, start_ns, totals});
      context_.records.record_done();
    };
    const std::vector<const stats::Group*> groups = groups_.dearest_first();
    const stats::Groups::Span span = groups_.span();
    const stats::Totals none;
    const bool all = span.intervals <= stats::Groups::kMaxStats / std::max<size_t>(groups.size(), 1);
    for (const stats::Group* group : groups) {
      for (uint64_t i = 0; all && i < span.intervals; ++i) {
        const int64_t start_ns = span.first_ns + static_cast<int64_t>(i) * groups_.by().interval_ns;
        const auto found = group->intervals.find(start_ns);
        one(&group->key, start_ns, found != group->intervals.end() ? found->second : none);
      }
      if (!all) {
        for (const auto& [start_ns, totals] : group->intervals) {
          one(&group->key, start_ns, totals);
        }
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
    report::text_stats(out, groups_, context_.style, &disturbances_);
    if (!options_.reading.quiet) {
      report::put(out, '\n');
      report::text_loads(out, loads_, context_.style);
      report::put(out, '\n');
      report::text_remarks(out, {topics_, loads_, groups_.all()}, context_.style);
    }
    context_.records.record_done();
  }

  void note_lines() {
    for (const stats::Remark& remark : stats::judge({topics_, loads_, groups_.all()})) {
      report::json_note(context_.out(), remark, context_.style);
      context_.records.record_done();
    }
  }

  void disturbance_lines() {
    for (const auto& [place, counted] : disturbances_.intervals()) {
      report::json_disturbances(context_.out(), place.first, place.second, counted);
      context_.records.record_done();
    }
    if (disturbances_.rest().any()) {
      report::json_disturbances(context_.out(), 0, std::nullopt, {true, disturbances_.rest()});
      context_.records.record_done();
    }
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
  stats::Disturbances disturbances_;
  stats::Attempts attempts_{[this](const stats::Rpc& rpc) {
    groups_.add(rpc);
    topics_.add(rpc);
  }};
  uint64_t seen_ = 0;  // RPCs, asked for or not
  std::vector<uint32_t> announced_;
  bool all_exist_ = true;
};

CLI::Validator length_of_interval() {
  return {[](std::string& text) {
            constexpr int64_t kLeastNs = 1'000, kMostNs = 1'000'000'000'000'000'000;
            const int64_t ns = read_duration(text).value_or(0);
            return ns >= kLeastNs && ns <= kMostNs
                       ? std::string()
                       : text + " is not a time from 1us to 1000000000s: 10ms, 0.5, 1min";
          },
          ""};
}

constexpr const char* kStatsFooter =
    "A line for each group of RPCs, the one that took the most time first: how many, how many\n"
    "of them failed (an NFS status that is not OK, refused, a transport error), the time from\n"
    "Call to delivered Reply (mean, median, p99, longest), their share of all time, bytes of\n"
    "arguments and of results, and the phase that most of it went by in:\n"
    "  call    until the Call was accepted\n"
    "  start   until the first RDMA Read\n"
    "  read    until the last was answered\n"
    "  serve   until the first RDMA Write, or the Reply\n"
    "  write   until the last RDMA Write\n"
    "  finish  until the Reply was sent\n"
    "  reply   until it was accepted\n"
    "A Call that was sent several times is one RPC, from the first time on (earlier: until it\n"
    "was sent for the last time).\n"
    "Columns without room are left out: COLUMNS says how wide a line is where there is no\n"
    "terminal. RPCs whose time the capture does not show are counted, and are not in the times.\n"
    "Then a paragraph for each connection; and in words, with the frame to look at, what\n"
    "stands out: waiting for credits, loss, outages, a slow server or client, failures, retries.\n"
    "\n"
    "Examples:\n"
    "  steertag stats nfs.pcap                       where did the time go?\n"
    "  steertag stats --by op,client nfs.pcap        whose?\n"
    "  steertag stats --interval 1 nfs.pcap          when?\n"
    "  steertag stats -i eth0 --duration 10m         now?\n"
    "  steertag stats --interval 10ms --from 12 --to 13 nfs.pcap\n"
    "  steertag stats --interval 60 --format csv ring*.pcap.gz > nfs.csv\n"
    "  steertag stats --format jsonl nfs.pcap | jq -r 'select(.type == \"stat\") |\n"
    "    [.op, .count, .delivered_us.p99] | @tsv'";

}  // namespace

void add_stats(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<StatsOptions>();
  CLI::App* command =
      app.add_subcommand("stats", "which operations took how long, how much, how often failed, and why");
  add_reading_options(*command, options->reading, {"text", "jsonl", "csv"});
  add_live_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  add_selection_options(*command, options->selection);
  take_list(
      command->add_option("--by", options->by,
                          "what the RPCs of a line have in common: any of op, conn,\nclient, server (op)"),
      "KEYS")
      ->check(one_of({"op", "conn", "client", "server"}))
      ->default_str("");
  command
      ->add_option_function<std::string>(
          "--interval",
          [&interval_ns = options->interval_ns](const std::string& text) {
            interval_ns = read_duration(text).value_or(0);
          },
          "for each group and so many seconds, or 10ms; an RPC\ncounts when its Call was sent. And when "
          "connections\nwere disturbed: loss, NAKs, ECN, CNPs, pauses")
      ->check(length_of_interval())
      ->type_name("TIME");
  command->footer(kStatsFooter);
  command->callback([options, command, &chosen] {
    check_live(*command, options->reading);
    chosen = [options] {
      options->selection.prepare();
      return run(options->reading,
                 [&](Context& context) { return std::make_unique<Stats>(context, *options); });
    };
  });
}

}  // namespace steertag::cli
