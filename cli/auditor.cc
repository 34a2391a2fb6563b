#include "auditor.h"

#include <algorithm>

#include "audit_formats.h"
#include "report/json.h"
#include "report/share.h"
#include "require.h"
#include "rules/catalog.h"

namespace steertag::cli {

bool AuditOptions::keeps() const {
  return report_writer(reading.format) != nullptr ||
         std::any_of(reading.reports.begin(), reading.reports.end(),
                     [](const ReadingOptions::Report& report) { return !report.streams(); });
}

Auditor::Auditor(Context& context, const AuditOptions& options)
    : Reporter(context),
      options_(options),
      excerpts_(context.style),
      audit_(*this, *this, context.analyzer(), settings()),
      known_(options.rules, options.filter.connections.empty() && options.filter.xids.empty()) {
  if (options.keeps() || known_.any()) {
    verdict_.emplace();
  }
  if (ReadingOptions::streamed(options.reading.format)) {
    printers_.push_back({context.records, options.reading.jsonl()});
  }
  for (size_t i = 0; i < context.reports.size(); ++i) {
    const ReadingOptions::Report& report = options.reading.reports[i];
    if (report.streams()) {
      printers_.push_back({*context.reports[i], report.format == "jsonl"});
    }
  }
}

rules::Settings Auditor::settings() {
  rules::Settings settings = options_.rules.settings(options_.reading);
  settings.describer = options_.keeps() ? &excerpts_ : nullptr;
  return settings;
}

std::string_view Auditor::whole_only() const {
  return !options_.filter.connections.empty() ? "--conn"
         : known_.any()                       ? "a baseline"
         : verdict_                           ? "a report of the whole"
                                              : "";
}

bool Auditor::wanted(const rules::Finding& finding) const {
  const bool of_xid =
      options_.filter.xids.empty() || (finding.xid && options_.filter.wants_xid(*finding.xid));
  return of_xid && options_.filter.wants_connection(finding.connection->number);
}

void Auditor::on_finding(const rules::Finding& finding) {
  if (!wanted(finding)) {
    return;
  }
  const rules::Severity severity = options_.rules.severity(*finding.rule, finding.severity);
  if (severity == finding.severity) {
    return take(finding);
  }
  rules::Finding weighed = finding;
  weighed.severity = severity;
  take(weighed);
}

void Auditor::take(const rules::Finding& finding) {
  const bool fails = options_.rules.fails(finding.severity, finding.certainty);
  const report::Known* const known = known_.take(finding, fails);
  if (verdict_ && (known != nullptr || options_.keeps())) {
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
  const uint64_t times = ++repeats_[finding.connection->number][finding.rule];
  for (const Printer& printer : printers_) {
    print(printer, finding, times);
  }
}

void Auditor::print(const Printer& printer, const rules::Finding& finding, uint64_t times) {
  report::Buffer& out = printer.records.buffer();
  if (printer.jsonl) {
    report::json_finding(out, finding, context_.style.files);
  } else if (options_.max_repeat == 0 || times <= options_.max_repeat) {
    report::text_finding(out, finding, context_.style);
    if (options_.verbose) {
      report::text_finding_hint(out, finding, context_.style);
    }
  }
  printer.records.record_done();
}

// To people, only what there is too much of matters.
void Auditor::print_known(const Printer& printer, const rules::Finding& finding, const report::Known& known) {
  if (printer.jsonl) {
    report::json_finding(printer.records.buffer(), finding, context_.style.files, &known);
    printer.records.record_done();
  }
}

void Auditor::end(const Ended& ended) {
  all_exist_ = options_.filter.all_exist(announced_);
  failed_ |= !all_judged(options_.rules.require, audit_.tallies());
  if (known_.any()) {
    failed_ |= known_.settle(found_, *verdict_, ended.complete());
  }
  for (const Printer& printer : printers_) {
    print_end(printer, ended);
  }
  if (verdict_) {
    write_reports(ended);
  }
}

void Auditor::print_end(const Printer& printer, const Ended& ended) {
  report::Buffer& out = printer.records.buffer();
  if (printer.jsonl) {
    known_.put_records(out);
    for (size_t i = 0; options_.tally && i < rules::catalog().size(); ++i) {
      report::json_tally(out, *rules::catalog()[i], audit_.tallies()[i]);
    }
  } else {
    print_end_text(out, ended);
  }
  printer.records.record_done();
}

void Auditor::print_end_text(report::Buffer& out, const Ended& ended) {
  if (known_.any()) {
    known_.put_exceeded(out, *verdict_, options_.max_repeat, context_.style);
  }
  if (options_.tally) {
    report::text_tallies(out, audit_.tallies(), context_.style);
  }
  if (options_.reading.quiet) {
    return;
  }
  if (ended.counters.messages != 0) {
    report::text_audit_summary(out, ended.counters, found_, audit_.tallies(), context_.style);
  }
  known_.put_known(out);
  if (!options_.rules.config.empty()) {
    report::print(out, "configured by {}\n", base::printable(options_.rules.config));
  }
}

void Auditor::write_reports(const Ended& ended) {
  const bool whole = !ended.damaged && (ended.cut.empty() || options_.reading.allow_cut);
  const report::AuditReport report{
      .verdict = *verdict_,
      .tallies = audit_.tallies(),
      .counters = ended.counters,
      .files = context_.style.files,
      .version = STEERTAG_VERSION,
      .cut = ended.cut,
      .damaged = ended.damaged,
      .status = whole ? status() : 2,
      .wanted = [this](const rules::Rule& rule) { return options_.rules.wants(rule); }};
  const auto write = [&](const std::string& format, Records& records) {
    if (const WriteReport writer = report_writer(format)) {
      writer(records.buffer(), report);
      records.record_done();
    }
  };
  write(options_.reading.format, context_.records);
  for (size_t i = 0; i < context_.reports.size(); ++i) {
    write(options_.reading.reports[i].format, *context_.reports[i]);
  }
}

void Auditor::total(report::ShareTotals& totals) const {
  totals.findings = found_;
  totals.rules = true;
  totals.tallies = audit_.tallies();
  totals.show_tallies = options_.tally;
  totals.required = joined(options_.rules.require);
}

void Auditor::take_over(const Share& share) {
  auto& other = static_cast<Auditor&>(share.reporter);
  found_.add(other.found_);
  failed_ |= other.failed_;
  announced_.insert(announced_.end(), other.announced_.begin(), other.announced_.end());
  audit_.add_share(other.audit_);
  known_.take_over(other.known_);
  if (verdict_) {
    verdict_->take_over(*other.verdict_, share.place, share.merger);
  }
}

void Auditor::named(const track::Connection& connection) {
  announced_.push_back(connection.number);
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
void Auditor::on_judged(const track::Connection& connection) {
  const auto found = repeats_.find(connection.number);
  if (found == repeats_.end()) {
    return;
  }
  for (const Printer& printer : printers_) {
    for (const auto& [rule, times] : found->second) {
      if (!printer.jsonl && options_.max_repeat != 0 && times > options_.max_repeat) {
        report::print(printer.records.buffer(),
                      "connection {}: {} more of {} ({}); --max-repeat 0 shows them\n", connection.number,
                      times - options_.max_repeat, rule->id, rule->name);
      }
    }
    printer.records.record_done();
  }
  repeats_.erase(found);
}

}  // namespace steertag::cli
