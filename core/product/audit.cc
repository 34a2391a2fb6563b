#include "product/audit.h"

#include <algorithm>
#include <utility>

#include "product/audit_forms.h"
#include "product/version.h"
#include "rdma/roce/icrc.h"
#include "report/incident.h"
#include "report/json.h"
#include "report/policy_file.h"
#include "report/share.h"
#include "rules/catalog.h"

namespace steertag::product {

bool AuditOptions::keeps(const Settings& settings) {
  return report_writer(settings.format) != nullptr ||
         std::any_of(settings.reports.begin(), settings.reports.end(),
                     [](const Settings::Report& report) { return !report.streams(); });
}

bool AuditOptions::tells_incidents(const Settings& settings) const {
  const auto tells = [](std::string_view format) { return format == "markdown"; };
  return !each && whole() &&
         (incidents || tells(settings.format) ||
          std::any_of(settings.reports.begin(), settings.reports.end(),
                      [&](const Settings::Report& report) { return tells(report.format); }));
}

report::ScoreTerms AuditOptions::terms(const Settings& settings) const {
  return {.profile = policy.settings(settings).profile,
          .least = policy.strict ? rules::Certainty::possible : rules::Certainty::likely};
}

report::AuditReport AuditOptions::report(const Settings& settings, const report::Verdict& verdict,
                                         std::span<const rules::Tally> tallies, const Counters& counters,
                                         report::Files files) const {
  return {.verdict = verdict,
          .tallies = tallies,
          .counters = counters,
          .found = {},
          .files = files,
          .version = version(),
          .cut = {},
          .damaged = false,
          .status = 0,
          .folder = folder,
          .policies = settings.told_by,
          .wanted = [this](const rules::Rule& rule) { return policy.wants(rule); },
          .required = [this](const rules::Rule& rule) { return policy.requires_verdict(rule); },
          .fails = [this](rules::Severity severity,
                          rules::Certainty certainty) { return policy.fails(severity, certainty); }};
}

AuditProduct::AuditProduct(Context& context, const AuditOptions& options)
    : Product(context),
      options_(options),
      excerpts_(context.style),
      audit_(*this, *this,
             options.budgets.empty() && !options.tells_incidents(context.settings)
                 ? context.analyzer()
                 : context.analyzer_for_reports(),
             settings()),
      known_(options.policy, options.whole()) {
  if (options.keeps(context.settings) || options.scorecard || options.wants_verdict || known_.any()) {
    verdict_.emplace();
  }
  if (!options.budgets.empty()) {
    sums_.emplace(stats::Grouping());
  }
  if (options.tells_incidents(context.settings)) {
    overview_.emplace();
  }
  add_printer(context.settings.format, &context.records);
  for (size_t i = 0; i < context.reports.size(); ++i) {
    add_printer(context.settings.reports[i].format, context.reports[i]);
  }
}

void AuditProduct::add_printer(const std::string& format, Records* records) {
  const bool only_table = options_.each && context_.settings.quiet && format == "text";
  if (Settings::streamed(format) && !only_table) {
    printers_.push_back({.records = *records,
                         .jsonl = format == "jsonl",
                         .ring = format == Settings::kRing,
                         .beside = records != &context_.records});
  }
}

report::TextStyle AuditProduct::style(const Printer& printer) const {
  report::TextStyle style = context_.style;
  if (printer.beside) {
    style.palette = report::Palette::plain();
    style.width = 0;
    style.folds = false;
  }
  return style;
}

rules::Settings AuditProduct::settings() {
  rules::Settings settings = options_.policy.settings(context_.settings);
  settings.describer = options_.keeps(context_.settings) ? &excerpts_ : nullptr;
  return settings;
}

std::string_view AuditProduct::whole_only() const {
  return !options_.filter.connections.empty() ? "--conn"
         : options_.scorecard                 ? "--scorecard"
         : options_.incidents                 ? "--incidents"
         : known_.any()                       ? "a baseline"
         : verdict_                           ? "a report of the whole"
                                              : "";
}

bool AuditProduct::wanted(const rules::Finding& finding) const {
  const bool of_xid =
      options_.filter.xids.empty() || (finding.xid && options_.filter.wants_xid(*finding.xid));
  return of_xid && options_.filter.wants_connection(finding.connection->number);
}

void AuditProduct::on_finding(const rules::Finding& finding) {
  if (!wanted(finding)) {
    return;
  }
  options_.policy.weighed(finding, [this](const rules::Finding& weighed) { take(weighed); });
}

void AuditProduct::take(const rules::Finding& finding) {
  const bool fails = options_.policy.fails(finding.severity, finding.certainty);
  const report::Known* const known = known_.take(finding, fails);
  if (verdict_ && (known != nullptr || options_.keeps(context_.settings) || options_.scorecard ||
                   options_.wants_verdict)) {
    verdict_->add(finding, context_.course.now, known);
  }
  if (known != nullptr) {
    for (const Printer& printer : printers_) {
      print_known(printer, finding, *known);
    }
    return;
  }
  found_.add(finding.severity);
  failed_ |= fails;
  if (overview_) {
    overview_->found(finding);
  }
  const uint64_t times = ++repeats_[finding.connection->number][finding.rule];
  for (const Printer& printer : printers_) {
    print(printer, finding, times);
  }
}

void AuditProduct::print(const Printer& printer, const rules::Finding& finding, uint64_t times) {
  if (printer.ring) {
    return print_for_ring(printer, finding);
  }
  report::Buffer& out = printer.records.buffer();
  if (printer.jsonl) {
    report::json_finding(out, finding, context_.style.files);
  } else if (options_.max_repeat == 0 || times <= options_.max_repeat) {
    report::text_finding(out, finding, style(printer));
    if (options_.verbose) {
      report::text_finding_hint(out, finding, style(printer));
    }
  }
  printer.records.record_done();
}

void AuditProduct::print_for_ring(const Printer& printer, const rules::Finding& finding) {
  const std::string& least = options_.keep_on;
  const bool grave = least == "note" || finding.severity == rules::Severity::error ||
                     (least == "warning" && finding.severity == rules::Severity::warning);
  const bool sure = options_.policy.strict || finding.certainty != rules::Certainty::possible;
  report::Buffer words;
  report::text_finding_words(words, finding, style(printer));
  ring_line(printer.records.buffer(), finding.at.number, grave && sure, report::view(words));
  printer.records.record_done();
}

// To people, only what there is too much of matters.
void AuditProduct::print_known(const Printer& printer, const rules::Finding& finding,
                               const report::Known& known) {
  if (printer.jsonl) {
    report::json_finding(printer.records.buffer(), finding, context_.style.files, &known);
    printer.records.record_done();
  }
}

void AuditProduct::finish(const Ended& ended) {
  check(options_.filter);
  if (options_.each) {  // what is said at the end is said of all captures together
    failed_ |= !never_judged().empty();
    found_.known = known_.taken();
    return;
  }
  for (std::string& line : unjudged(options_.policy.require, audit_.tallies())) {
    complain(std::move(line));
    failed_ = true;
  }
  if (sums_) {
    sums_->finish();
    for (std::string& line : exceeded(options_.budgets, sums_->counted())) {
      complain(std::move(line));
      failed_ = true;
    }
  }
  if (known_.any()) {
    failed_ |= known_.settle(found_, *verdict_, ended.complete());
    for (std::string& line : known_.complaints()) {
      complain(std::move(line));
    }
  }
  if (unchecked_) {
    complain("--checksums: the ICRCs of RoCEv1 and InfiniBand are not checked");
  }
  if (overview_) {
    incidents_ = overview_->finish(options_.policy.settings(context_.settings).answer_within_ns);
  }
  for (const Printer& printer : printers_) {
    if (!printer.ring) {
      print_end(printer, ended);
    }
  }
  if (verdict_) {
    write_reports(ended);
  }
}

std::vector<std::string> AuditProduct::never_judged() const {
  return product::never_judged(options_.policy.require, audit_.tallies());
}

void AuditProduct::print_end(const Printer& printer, const Ended& ended) {
  report::Buffer& out = printer.records.buffer();
  if (options_.incidents) {
    print_incidents(out, printer);
  }
  if (printer.jsonl) {
    known_.put_records(out);
    for (size_t i = 0; options_.tally && i < rules::catalog().size(); ++i) {
      report::json_tally(out, *rules::catalog()[i], audit_.tallies()[i]);
    }
    if (options_.scorecard) {
      report::json_score(out, report::score(audit_.tallies(), *verdict_, options_.terms(context_.settings)));
    }
  } else {
    print_end_text(out, ended, style(printer));
  }
  printer.records.record_done();
}

void AuditProduct::print_incidents(report::Buffer& out, const Printer& printer) const {
  if (!printer.jsonl) {
    return report::text_incidents(out, incidents_, style(printer));
  }
  for (const incident::Incident& incident : incidents_) {
    report::json_incident(out, incident, context_.style);
  }
}

void AuditProduct::print_end_text(report::Buffer& out, const Ended& ended, const report::TextStyle& style) {
  if (known_.any()) {
    known_.put_exceeded(out, *verdict_, options_.max_repeat, style);
  }
  if (options_.tally) {
    report::text_tallies(out, audit_.tallies(), options_.idle(), style);
  }
  if (options_.scorecard) {
    report::TextStyle scored = style;
    scored.verbose = options_.verbose;
    report::text_score(out, report::score(audit_.tallies(), *verdict_, options_.terms(context_.settings)),
                       scored);
  }
  const bool any = found_.error + found_.warning + found_.note != 0;
  if (context_.settings.quiet) {
    if (any || options_.tally || options_.scorecard) {  // something is said, and this had a part in it
      report::text_policies(out, context_.settings.told_by);
    }
    return;
  }
  if (ended.counters.messages != 0 || any) {
    report::text_audit_summary(out, ended.counters, found_, audit_.tallies(), style);
  }
  report::text_policies(out, context_.settings.told_by);
  known_.put_known(out);
}

void AuditProduct::write_reports(const Ended& ended) {
  const bool whole = !ended.damaged && (ended.cut.empty() || context_.settings.allow_cut);
  report::AuditReport report =
      options_.report(context_.settings, *verdict_, audit_.tallies(), ended.counters, context_.style.files);
  report.found = found_;
  report.cut = ended.cut;
  report.damaged = ended.damaged;
  report.status = whole ? status() : 2;
  report.incidents = incidents_;
  known_.tell(report);
  product::write_reports(context_.settings, report, context_.records, context_.reports);
}

void AuditProduct::total(report::ShareTotals& totals) const {
  totals.findings = found_;
  totals.rules = true;
  totals.tallies = audit_.tallies();
  totals.show_tallies = options_.tally;
  totals.required = joined(options_.policy.require);
}

void AuditProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<AuditProduct&>(share.product);
  found_.add(other.found_);
  failed_ |= other.failed_;
  audit_.add_share(other.audit_);
  known_.merge(other.known_);
  unchecked_ |= other.unchecked_;
  if (sums_) {
    sums_->take_over(*other.sums_, [&](track::ConnectionNumber theirs) {
      return share.merger.number(share.place, theirs);
    });
  }
  if (overview_) {
    overview_->take_over(*other.overview_, share);
  }
  if (verdict_) {
    verdict_->take_over(*other.verdict_, share.place, share.merger);
  }
}

void AuditProduct::on(const Event& event) {
  if (overview_) {
    overview_->observe(event);
  }
  Product::on(event);
}

// Of which kind the traffic was; only a Verdict wants to know.
void AuditProduct::message(const flow::Message& message) {
  if (verdict_) {
    verdict_->note(message);
  }
}
void AuditProduct::exchange(const flow::Exchange& exchange) {
  if (verdict_) {
    verdict_->note(exchange);
  }
}

// Statistics are of the connections and RPCs that were asked for.
void AuditProduct::passed(const track::Connection& connection, const timing::Transit& transit) {
  if (sums_) {
    sums_->loads.note(connection, transit);
  }
}
void AuditProduct::closed(const track::Connection& connection) {
  if (sums_ && options_.filter.wants_connection(connection.number)) {
    sums_->loads.close(connection);
  }
}
void AuditProduct::timed(const flow::Exchange& exchange) {
  if (sums_ && options_.filter.wants_connection(exchange.connection->number) &&
      options_.filter.wants_xid(exchange.xid)) {
    sums_->add(exchange);
  }
}

void AuditProduct::named(const track::Connection& connection) {
  unchecked_ |= context_.settings.checksums && !rdma::roce::is_icrc_checked(connection.transport);
  if (!options_.filter.wants_connection(connection.number)) {
    return;
  }
  for (const Printer& printer : printers_) {
    if (printer.jsonl) {
      report::json_connection(printer.records.buffer(), connection, connection.number, report::Stage::named,
                              context_.style.files);
      printer.records.record_done();
    }
  }
}

// What was left out can be counted now.
void AuditProduct::on_judged(const track::Connection& connection) {
  const auto found = repeats_.find(connection.number);
  if (found == repeats_.end()) {
    return;
  }
  for (const Printer& printer : printers_) {
    for (const auto& [rule, times] : found->second) {
      if (!printer.jsonl && !printer.ring && options_.max_repeat != 0 && times > options_.max_repeat) {
        report::print(printer.records.buffer(),
                      "connection {}: {} more of {} ({}); --max-repeat 0 shows them\n", connection.number,
                      times - options_.max_repeat, rule->id, rule->name);
      }
    }
    printer.records.record_done();
  }
  repeats_.erase(found);
}

}  // namespace steertag::product
