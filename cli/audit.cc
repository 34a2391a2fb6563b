// steertag audit: which requirements does this traffic break, which did it keep?

#include "rules/audit.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/counted.h"
#include "commands.h"
#include "failure.h"
#include "report/finding.h"
#include "report/json.h"
#include "report/share.h"
#include "require.h"
#include "rules/catalog.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct AuditOptions {
  ReadingOptions reading;
  std::vector<std::string> select, ignore, require;
  std::string profile = "deployed";
  std::string fail_on = "error";
  bool strict = false;
  bool tally = false;
  bool verbose = false;
  uint32_t max_repeat = 5;
  Filter filter;

  rules::Settings settings() const {
    rules::Settings settings;
    settings.profile = profile == "strict"    ? rules::Profile::strict
                       : profile == "rfc5666" ? rules::Profile::rfc5666
                                              : rules::Profile::deployed;
    settings.wants = [this](const rules::Rule& rule) { return wants(rule); };
    if (reading.skew_ms) {
      settings.skewed = *reading.skew_ms > 0;
    }
    return settings;
  }
  bool wants(const rules::Rule& rule) const {
    const auto named = [&](const std::vector<std::string>& words) {
      return std::any_of(words.begin(), words.end(),
                         [&](const auto& word) { return rules::meant(rule, word); });
    };
    return (select.empty() || named(select)) && !named(ignore);
  }
  // Whether a finding turns the exit status into 1.
  bool fails(const rules::Finding& finding) const {
    if (finding.certainty == rules::Certainty::possible && !strict) {
      return false;
    }
    switch (finding.severity) {
      case rules::Severity::error:
        return fail_on != "never";
      case rules::Severity::warning:
        return fail_on == "warning" || fail_on == "note";
      case rules::Severity::note:
        return fail_on == "note";
    }
    return false;
  }
};

class Auditor final : public Reporter, public rules::Listener {
 public:
  Auditor(Context& context, const AuditOptions& options)
      : Reporter(context), options_(options), audit_(*this, *this, context.analyzer(), options.settings()) {}

  rules::Audit* audit() override { return &audit_; }

  void on_finding(const rules::Finding& finding) override {
    if (!wanted(finding)) {
      return;
    }
    found_.add(finding.severity);
    failed_ |= options_.fails(finding);
    if (options_.reading.jsonl()) {
      report::json_finding(context_.out(), finding, context_.style.files);
      context_.records.record_done();
      return;
    }
    const uint64_t times = ++repeats_[finding.connection->number][finding.rule];
    if (options_.max_repeat == 0 || times <= options_.max_repeat) {
      report::text_finding(context_.out(), finding, context_.style);
      if (options_.verbose) {
        report::text_finding_hint(context_.out(), finding, context_.style);
      }
      context_.records.record_done();
    }
  }

  void end(const Counters& counters) override {
    all_exist_ = options_.filter.all_exist(announced_);
    failed_ |= !all_judged(options_.require, audit_.tallies());
    if (options_.reading.jsonl()) {
      if (options_.tally) {
        for (size_t i = 0; i < rules::catalog().size(); ++i) {
          report::json_tally(context_.out(), *rules::catalog()[i], audit_.tallies()[i]);
        }
      }
      return;
    }
    if (options_.tally) {
      report::text_tallies(context_.out(), audit_.tallies(), context_.style);
    }
    if (!options_.reading.quiet && counters.messages != 0) {
      report::text_audit_summary(context_.out(), counters, found_, audit_.tallies(), context_.style);
    }
    context_.records.record_done();
  }

  int status() const override { return !all_exist_ ? 2 : failed_ ? 1 : 0; }
  std::string_view whole_only() const override { return options_.filter.connections.empty() ? "" : "--conn"; }
  bool chooses_by_number() const override { return !options_.filter.connections.empty(); }
  const report::FindingCounts* findings() const override { return &found_; }

 private:
  struct ById {
    bool operator()(const rules::Rule* a, const rules::Rule* b) const { return a->id < b->id; }
  };
  using Repeats = std::map<const rules::Rule*, uint64_t, ById>;  // findings of one connection

  bool wanted(const rules::Finding& finding) const {
    const bool of_xid =
        options_.filter.xids.empty() || (finding.xid && options_.filter.wants_xid(*finding.xid));
    return of_xid && options_.filter.wants_connection(finding.connection->number);
  }

  void total(report::ShareTotals& totals) const override {
    totals.findings = found_;
    totals.rules = true;
    totals.tallies = audit_.tallies();
    totals.show_tallies = options_.tally;
    totals.required = joined(options_.require);
  }

  void take_over(const Share& share) override {
    const auto& other = static_cast<const Auditor&>(share.reporter);
    found_.add(other.found_);
    failed_ |= other.failed_;
    announced_.insert(announced_.end(), other.announced_.begin(), other.announced_.end());
    audit_.add_share(other.audit_);
  }

  void named(const track::Connection& connection) override {
    announced_.push_back(connection.number);
    if (options_.reading.jsonl() && options_.filter.wants_connection(connection.number)) {
      announce(connection);
    }
  }

  // What was left out can be counted now.
  void on_judged(const track::Connection& connection) override {
    const auto found = repeats_.find(connection.number);
    if (found == repeats_.end()) {
      return;
    }
    for (const auto& [rule, times] : found->second) {
      if (options_.max_repeat != 0 && times > options_.max_repeat) {
        report::print(context_.out(), "connection {}: {} more of {} ({}); --max-repeat 0 shows them\n",
                      connection.number, times - options_.max_repeat, rule->id, rule->name);
      }
    }
    repeats_.erase(found);
    context_.records.record_done();
  }

  const AuditOptions& options_;
  rules::Audit audit_;
  report::FindingCounts found_;
  std::map<uint32_t, Repeats> repeats_;  // text: of the connections that are open, by number
  std::vector<uint32_t> announced_;
  bool failed_ = false;
  bool all_exist_ = true;
};

void check_words(const char* option, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (!rules::known(word)) {
      throw Failure(fmt::format("{}: {}: no such rule or family; see steertag rules", option, word));
    }
  }
}

}  // namespace

void add_audit(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<AuditOptions>();
  CLI::App* command =
      app.add_subcommand("audit", "which requirements this traffic breaks, where, by whom; which it keeps");
  add_reading_options(*command, options->reading);
  const auto words = [&](const char* flag, std::vector<std::string>& into, const char* help) {
    take_list(command->add_option(flag, into, help), "RULES");
  };
  words("--select", options->select, "only these rules: ids or families (INV-03, CRD)");
  words("--ignore", options->ignore, "not these rules");
  words("--require", options->require, "exit with 1 where one of these could never be judged");
  command
      ->add_option(
          "--profile", options->profile,
          "deployed: tolerates what shipping implementations\ndo; strict: the text as written; rfc5666")
      ->check(CLI::IsMember({"deployed", "strict", "rfc5666"}).description(""))
      ->type_name("NAME");
  command->add_flag("--strict", options->strict, "findings that are only possible count, too");
  command
      ->add_option("--fail-on", options->fail_on,
                   "exit with 1 from this severity on: error, warning,\nnote, never")
      ->check(CLI::IsMember({"error", "warning", "note", "never"}).description(""))
      ->type_name("SEVERITY");
  command
      ->add_option("--max-repeat", options->max_repeat,
                   "lines for one rule on one connection, then a count\n(5; 0: all; jsonl always has all)")
      ->check(whole("a number of lines", 0, UINT32_MAX))
      ->type_name("N");
  add_filter_options(*command, options->filter);
  command->add_flag("-v,--verbose", options->verbose, "below each finding, how to look at what it is about");
  command->add_flag("--tally", options->tally, "for each rule how often it was checked, kept, broken");
  command->footer(
      "One line per finding: FILE:FRAME: SEVERITY: what was seen, what was expected (clause) [RULE].\n"
      "\"possibly\" means that frames missing from the capture could explain it.\n"
      "steertag rules RULE explains a rule.\n"
      "\n"
      "Exit status: 0 nothing at or above --fail-on, 1 something, or a rule of --require was never\n"
      "judged, 2 could not do the work.\n"
      "\n"
      "Examples:\n"
      "  steertag audit nfs.pcap\n"
      "  steertag audit --tally --fail-on warning --require INV,CRD-03 nightly.pcapng.zst\n"
      "  steertag audit --format jsonl nfs.pcap | jq -r 'select(.type == \"finding\") | .message'");
  command->callback([options, &chosen] {
    chosen = [options] {
      options->filter.prepare();
      check_words("--select", options->select);
      check_words("--ignore", options->ignore);
      check_words("--require", options->require);
      return run(options->reading,
                 [&](Context& context) { return std::make_unique<Auditor>(context, *options); });
    };
  });
}

}  // namespace steertag::cli
