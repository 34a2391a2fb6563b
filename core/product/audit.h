// AuditProduct: what the rules say of the traffic, and the verdict. It prints what they find, in each of the
// forms that were asked for: findings as they come in text and JSON Lines, the others when the audit is over.
// Where there turns out to be more of what is known than was accepted, that is said at the end, too.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "product/budget.h"
#include "product/known_watch.h"
#include "product/overview.h"
#include "product/policy.h"
#include "product/product.h"
#include "product/rpc_selection.h"
#include "report/audit_report.h"
#include "report/excerpt.h"
#include "report/finding.h"
#include "report/known.h"
#include "report/score.h"
#include "report/verdict.h"
#include "rules/audit.h"
#include "stats/sums.h"

namespace steertag::product {

struct AuditOptions {
  Policy policy;
  std::vector<Budget> budgets = {};  // what statistics may come to: only where there are any they are made
  bool tally = false;                // or tally_all, too
  bool tally_all = false;            // of people, also of rules that had nothing to check
  report::Idle idle() const { return tally_all ? report::Idle::shown : report::Idle::counted; }
  bool scorecard = false;
  bool incidents = false;      // told, too
  bool each = false;           // of several captures that are audited apart: each.h has the last word
  bool wants_verdict = false;  // whatever the forms
  bool verbose = false;
  uint32_t max_repeat = 5;
  Filter filter;
  std::string folder;             // that paths are relative to; empty: not known
  std::string keep_on = "error";  // of a ring: from this severity on a finding keeps its frames

  // Whether a form was asked for that is written when all is known.
  static bool keeps(const Settings& settings);
  // Whether incidents are told: they are of all that there is, and cost what statistics do.
  bool tells_incidents(const Settings& settings) const;
  // Whether all connections and RPCs are looked at.
  bool whole() const { return filter.all(); }
  report::ScoreTerms terms(const Settings& settings) const;
  // Of an audit that is over; what it came to is left to fill in: `found`, `cut`, `damaged`, `status`.
  report::AuditReport report(const Settings& settings, const report::Verdict& verdict,
                             std::span<const rules::Tally> tallies, const Counters& counters,
                             report::Files files) const;
};

class AuditProduct final : public Product, public rules::Listener {
 public:
  AuditProduct(Context& context, const AuditOptions& options);

  void on(const Event& event) override;
  rules::Audit* audit() override { return &audit_; }
  void on_finding(const rules::Finding& finding) override;
  void finish(const Ended& ended) override;
  void merge(const Share& share) override;
  int status() const override { return !all_exist() ? 2 : failed_ ? 1 : 0; }
  std::string_view whole_only() const override;
  bool chooses_by_number() const override { return !options_.filter.connections.empty(); }
  const report::FindingCounts* findings() const override { return &found_; }
  std::optional<report::Verdict>& verdict() { return verdict_; }
  const KnownWatch& known() const { return known_; }
  std::vector<std::string> never_judged() const;  // required rules, by their ids

 private:
  struct ById {
    bool operator()(const rules::Rule* a, const rules::Rule* b) const { return a->id < b->id; }
  };
  using Repeats = std::map<const rules::Rule*, uint64_t, ById>;  // findings of one connection
  // What is written as records come.
  struct Printer {
    Records& records;
    bool jsonl = false;
    bool ring = false;    // findings alone, as the Ring wants them
    bool beside = false;  // in a file beside the result: no terminal
  };
  report::TextStyle style(const Printer& printer) const;

  void add_printer(const std::string& format, Records* records);
  bool wanted(const rules::Finding& finding) const;
  rules::Settings settings();
  void take(const rules::Finding& finding);
  void print(const Printer& printer, const rules::Finding& finding, uint64_t times);
  void print_for_ring(const Printer& printer, const rules::Finding& finding);
  void print_known(const Printer& printer, const rules::Finding& finding, const report::Known& known);
  void print_end(const Printer& printer, const Ended& ended);
  void print_incidents(report::Buffer& out, const Printer& printer) const;
  void print_end_text(report::Buffer& out, const Ended& ended, const report::TextStyle& style);
  void write_reports(const Ended& ended);

  void message(const flow::Message& message) override;
  void exchange(const flow::Exchange& exchange) override;
  void total(report::ShareTotals& totals) const override;
  void named(const track::Connection& connection) override;
  void passed(const track::Connection& connection, const timing::Transit& transit) override;
  void closed(const track::Connection& connection) override;
  void timed(const flow::Exchange& exchange) override;
  void on_judged(const track::Connection& connection) override;

  const AuditOptions& options_;
  report::ExcerptWriter excerpts_;
  std::vector<Printer> printers_;
  rules::Audit audit_;
  report::FindingCounts found_;
  KnownWatch known_;
  std::optional<stats::Sums> sums_;                // where there are budgets
  std::optional<Overview> overview_;               // where incidents are told ...
  std::span<const incident::Incident> incidents_;  // ... once all is known
  std::optional<report::Verdict> verdict_;         // of what reports or known_ need of it
  std::map<uint32_t, Repeats> repeats_;            // text: of the connections that are open, by number
  bool unchecked_ = false;                         // ICRCs of a connection
  bool failed_ = false;
};

}  // namespace steertag::product
