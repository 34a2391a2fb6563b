// steertag report: a capture for eyes: one HTML file with everything that audit, flows and stats say.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "failure.h"
#include "kept.h"
#include "packed.h"
#include "page.h"
#include "report/finding.h"
#include "report/json.h"
#include "report/json_writer.h"
#include "report/stats.h"
#include "report/stream.h"
#include "rules/audit.h"
#include "rules/catalog.h"
#include "run.h"
#include "stats/attempts.h"
#include "stats/groups.h"
#include "stats/judge.h"
#include "stats/load.h"
#include "stats/outcome.h"
#include "stats/rpc.h"
#include "stats/topics.h"

namespace steertag::cli {
namespace {

struct ReportOptions {
  ReadingOptions reading;
  std::vector<std::string> select, ignore;
  std::string profile = "deployed";
  size_t rpcs = 100'000;

  static constexpr size_t kFindings = 10'000;

  rules::Settings settings() const {
    rules::Settings settings;
    settings.profile = profile == "strict"    ? rules::Profile::strict
                       : profile == "rfc5666" ? rules::Profile::rfc5666
                                              : rules::Profile::deployed;
    settings.wants = [this](const rules::Rule& rule) {
      const auto named = [&](const std::vector<std::string>& words) {
        return std::any_of(words.begin(), words.end(),
                           [&](const auto& word) { return rules::meant(rule, word); });
      };
      return (select.empty() || named(select)) && !named(ignore);
    };
    if (reading.skew_ms) {
      settings.skewed = *reading.skew_ms > 0;
    }
    return settings;
  }
};

class Page final : public Reporter, public rules::Listener {
 public:
  Page(Context& context, const ReportOptions& options)
      : Reporter(context),
        options_(options),
        audit_(*this, *this, analyzer(context), options.settings()),
        rpcs_({options.rpcs, options.rpcs / 4, options.rpcs / 4}),
        findings_({ReportOptions::kFindings, 0, 0}) {}

  rules::Audit* audit() override { return &audit_; }
  const report::FindingCounts* findings() const override { return &found_; }
  std::string_view whole_only() const override { return "report"; }

  void begin() override {
    if (!options_.reading.jsonl()) {
      report::put(context_.out(), page_before_records());
      packed_.emplace();
      report::json_stream(scratch_, STEERTAG_VERSION);
      put();
    }
  }

  void on_finding(const rules::Finding& finding) override {
    found_.add(finding.severity);
    rules_.insert(finding.rule->id);
    const uint64_t chance = Kept::chance_of(finding.at, finding.xid.value_or(0));
    report::json_finding(scratch_, finding, context_.style.files);
    const auto severity =
        static_cast<uint64_t>(rules::Severity::error) - static_cast<uint64_t>(finding.severity);
    const auto certainty =
        static_cast<uint64_t>(rules::Certainty::definite) - static_cast<uint64_t>(finding.certainty);
    keep(findings_, {{severity * 4 + certainty, Kept::kNot, Kept::kNot},
                     chance,
                     finding.at,
                     1024 + finding.text.size(),
                     {}});
    if (finding.severity != rules::Severity::note && finding.xid && blamed_.size() < kMostBlamed) {
      blamed_.insert({finding.connection->number, *finding.xid});
    }
  }

  void end(const Counters& /*counters*/) override {
    attempts_.finish();
    connections_.finish();
    rpcs_.finish();
    findings_.finish();
    print_report();
    for (Kept* kept : {&connections_, &rpcs_, &findings_}) {
      for (const Kept::Record& record : kept->records()) {
        report::put(scratch_, record.text);
        put();
      }
    }
    print_rules();
    print_stats();
  }

  void sum_up(const report::Summary& summary) override {
    if (!options_.reading.jsonl()) {
      report::json_summary(scratch_, summary);
      put();
      packed_->finish(context_.out());
      report::put(context_.out(), page_behind_records());
      context_.records.record_done();
    }
  }

 private:
  static constexpr size_t kMostBlamed = 16384;  // RPCs with findings that are sure to be kept
  static constexpr size_t kMostConnections = 16384;

  static Options analyzer(Context& context) {
    Options options = context.analyzer();
    options.for_reports = true;
    return options;
  }

  void passed(const track::Connection& connection, const flow::Transit& transit) override {
    loads_.note(connection, transit);
  }
  void closed(const track::Connection& connection) override {
    loads_.close(connection);
    if (connection.rpcrdma) {
      report::json_connection(scratch_, connection, connection.number, report::Stage::ended,
                              context_.style.files);
      keep(connections_, {{static_cast<uint64_t>(connection.first_frame.time_ns), Kept::kNot, Kept::kNot},
                          Kept::chance_of(connection.first_frame, 0),
                          connection.first_frame,
                          512,
                          {}});
      note_frame(connection.last_frame);
    }
    note_frame(connection.first_frame);
  }
  void message(const flow::Message& message) override { loads_.note(message); }
  void congested(const track::Connection& connection, const track::Congestion& congestion) override {
    loads_.note(connection, congestion);
  }
  void timed(const flow::Exchange& exchange) override {
    attempts_.add(stats::rpc_of(exchange));
    loads_.note(exchange);
    const Stamp at = stats::began(exchange);
    note_frame(at);
    const uint64_t chance = Kept::chance_of(at, exchange.xid);
    const std::optional<int64_t> waited_ns = flow::waited_ns(exchange);
    const bool notable = stats::failed(exchange) || stats::unanswered(exchange) ||
                         exchange.timing.attempts > 1 ||
                         blamed_.contains({exchange.connection->number, exchange.xid});
    report::json_rpc(scratch_, exchange, context_.style.files, report::RpcDetail::report);
    size_t frames = 0;
    for (const flow::SegmentFlow& segment : exchange.segments) {
      frames += std::min(segment.frames().size(), report::kMostReportFrames);
    }
    keep(rpcs_,
         {{chance, notable ? chance : Kept::kNot,
           waited_ns ? static_cast<uint64_t>(std::numeric_limits<int64_t>::max() - *waited_ns) : Kept::kNot},
          chance,
          at,
          512 + exchange.segments.size() * 170 + frames * 12,
          {}});
  }

  // Holds back what was written into the scratch.
  void keep(Kept& kept, Kept::Record&& record) {
    record.text = report::view(scratch_);
    scratch_.clear();
    kept.add_seen(1);
    kept.add(std::move(record));
  }

  void note_frame(const Stamp& at) { last_ns_ = std::max(last_ns_, at.time_ns); }

  void take_over(const Share& share) override {
    auto& other = static_cast<Page&>(share.reporter);
    other.attempts_.finish();
    const auto number = [&](track::ConnectionNumber theirs) {
      return share.merger.number(share.place, theirs);
    };
    groups_.take_over(other.groups_, number);
    topics_.take_over(other.topics_, number);
    loads_.take_over(other.loads_, number);
    found_.add(other.found_);
    rules_.insert(other.rules_.begin(), other.rules_.end());
    last_ns_ = std::max(last_ns_, other.last_ns_);
    audit_.add_share(other.audit_);
    for (const auto& [ours, theirs] :
         {std::pair(&connections_, &other.connections_), std::pair(&rpcs_, &other.rpcs_),
          std::pair(&findings_, &other.findings_)}) {
      theirs->finish();
      ours->add_seen(theirs->seen());
      for (Kept::Record& record : theirs->records()) {
        share.merger.fill_in(share.place, record.text, scratch_);
        record.text = report::view(scratch_);
        scratch_.clear();
        ours->add(std::move(record));
      }
      theirs->records() = {};
    }
  }

  // What the page shows, and of how much.
  void print_report() {
    report::JsonWriter json(scratch_);
    json.object();
    json.text("type", "report");
    json.seconds("begin", context_.style.origin_ns);
    json.seconds("end", std::max(last_ns_, context_.style.origin_ns));
    json.list("files");
    for (const std::string& name : context_.style.files.names) {
      json.text(name);
    }
    json.end_list();
    json.number("rpcs", rpcs_.seen());
    json.number("rpcs_shown", rpcs_.records().size());
    json.number("findings", findings_.seen());
    json.number("findings_shown", findings_.records().size());
    json.number("connections", connections_.seen());
    json.number("connections_shown", connections_.records().size());
    json.end_object();
    json.end_line();
    put();
  }

  // All of them, since they say what was not judged, too; with their pages where something was found.
  void print_rules() {
    for (size_t i = 0; i < rules::catalog().size(); ++i) {
      const rules::Rule& rule = *rules::catalog()[i];
      report::json_rule(scratch_, rule, rules_.contains(rule.id));
      report::json_tally(scratch_, rule, audit_.tallies()[i]);
      put();
    }
  }

  void print_stats() {
    for (const stats::Group* group : groups_.dearest_first()) {
      report::json_stat(scratch_, {groups_.by(), &group->key, std::nullopt, group->totals});
    }
    if (groups_.rest().count != 0) {
      report::json_stat(scratch_, {groups_.by(), nullptr, std::nullopt, groups_.rest()});
    }
    for (const stats::Load* load : loads_.in_order()) {
      report::json_load(scratch_, *load);
    }
    if (loads_.rest() != nullptr) {
      report::json_load(scratch_, *loads_.rest());
    }
    for (const stats::Remark& remark : stats::judge({topics_, loads_, groups_.all()})) {
      report::json_note(scratch_, remark, context_.style);
    }
    put();
  }

  // Writes the records in the scratch, into the page as its own.
  void put() {
    if (options_.reading.jsonl()) {
      report::put(context_.out(), report::view(scratch_));
    } else {
      packed_->add(report::view(scratch_), context_.out());
    }
    scratch_.clear();
    context_.records.record_done();
  }

  const ReportOptions& options_;
  rules::Audit audit_;
  report::Buffer scratch_;
  std::optional<Packed> packed_;                // where there is a page
  Kept rpcs_;                                   // by chance: an even sample; what is notable; the slowest
  Kept findings_;                               // the worst
  Kept connections_{{kMostConnections, 0, 0}};  // the first
  report::FindingCounts found_;
  std::set<std::string_view> rules_;                // of which something was found
  std::set<std::pair<uint32_t, uint32_t>> blamed_;  // connection and XID of RPCs with findings
  int64_t last_ns_ = 0;
  stats::Groups groups_{{.op = true}};
  stats::Topics topics_;
  stats::Loads loads_;
  stats::Attempts attempts_{[this](const stats::Rpc& rpc) {
    groups_.add(rpc);
    topics_.add(rpc);
  }};
};

void check(const ReportOptions& options) {
  for (const auto* words : {&options.select, &options.ignore}) {
    for (const std::string& word : *words) {
      if (!rules::known(word)) {
        throw Failure(word + ": no such rule or family; see steertag rules");
      }
    }
  }
  if (options.reading.output.empty() && !options.reading.jsonl() && isatty(STDOUT_FILENO) != 0) {
    throw Failure("report: its page goes to a file, as in -o report.html");
  }
}

}  // namespace

void add_report(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<ReportOptions>();
  options->reading.format = "html";
  CLI::App* command =
      app.add_subcommand("report", "all of this for eyes: one HTML file, opened in a browser");
  add_reading_options(*command, options->reading, {"html", "jsonl"});
  take_list(
      command->add_option("--select", options->select, "only these rules: ids or families (INV-03, CRD)"),
      "RULES");
  take_list(command->add_option("--ignore", options->ignore, "not these rules"), "RULES");
  command
      ->add_option(
          "--profile", options->profile,
          "deployed: tolerates what shipping implementations\ndo; strict: the text as written; rfc5666")
      ->check(CLI::IsMember({"deployed", "strict", "rfc5666"}).description(""))
      ->type_name("NAME");
  command
      ->add_option(
          "--rpcs", options->rpcs,
          "how many RPCs the page holds one by one (100000), as an\neven sample; and a quarter each of the "
          "slowest, and of\nthose that failed or have findings")
      ->check(whole("a number of RPCs", 4, 1'000'000))
      ->default_str("")
      ->type_name("N");
  command->footer(
      "The page says in words what the capture is, whether it is healthy and what stands out; then\n"
      "the findings with the rules explained, a timeline of every connection (latency of each RPC,\n"
      "Calls outstanding against credits, throughput), the ladder of one RPC, the operations, and\n"
      "which rules were kept or never applied. It is one file: nothing is loaded from anywhere, and\n"
      "nothing is installed. It has a link for every RPC, finding and view.\n"
      "--format jsonl prints the records that the page is made from.\n"
      "\n"
      "Examples:\n"
      "  steertag report nfs.pcap -o report.html\n"
      "  steertag report client.pcap server.pcap -o report.html\n"
      "  steertag report --rpcs 20000 day.pcapng.zst -o report.html");
  command->callback([options, &chosen] {
    chosen = [options] {
      check(*options);
      return run(options->reading,
                 [&](Context& context) { return std::make_unique<Page>(context, *options); });
    };
  });
}

}  // namespace steertag::cli
