#include "product/each.h"

#include <algorithm>
#include <utility>

#include "report/policy_file.h"
#include "report/stream.h"
#include "rules/catalog.h"

namespace steertag::product {

uint64_t rules_judged(const std::vector<rules::Tally>& tallies) {
  return static_cast<uint64_t>(std::count_if(tallies.begin(), tallies.end(), [](const rules::Tally& tally) {
    return tally.kept + tally.broken != 0;
  }));
}

EachTotals::EachTotals(const AuditOptions& options, const Settings& settings)
    : tallies(rules::catalog().size()),
      known(options.policy, options.filter.all()),
      options_(options),
      settings_(settings) {}

void EachTotals::add(FileAudit& audit) {
  for (size_t i = 0; i < std::min(tallies.size(), audit.tallies.size()); ++i) {
    tallies[i].add(audit.tallies[i]);
  }
  if (audit.verdict && options_.scorecard) {
    score_.add(report::score(audit.tallies, *audit.verdict, options_.terms(settings_)),
               static_cast<uint32_t>(rows.size()));
  }
  if (audit.verdict && (AuditOptions::keeps(settings_) || options_.wants_verdict || known.any())) {
    verdict.append(*audit.verdict, static_cast<uint32_t>(rows.size()));
  }
  if (audit.known) {
    known.merge(*audit.known);
  }
  complete &= audit.known && audit.row.complete();
  status = std::max(status, audit.row.status);
  damaged_ |= audit.row.damaged;
  cut_ = cut_ == "interrupted" || audit.row.cut.empty() ? cut_ : audit.row.cut;
  unfinished += audit.interrupted ? 1 : 0;
  rows.push_back(std::move(audit.row));
}

void EachTotals::settle() {
  found_ = report::found_in(rows);
  if (known.any() && known.settle(found_, verdict, complete)) {
    status = std::max(status, 1);
  }
}

report::AuditedFiles EachTotals::all() const {
  return {.files = rows, .status = status, .found = found_, .judged = rules_judged(tallies)};
}

void EachTotals::put_jsonl(report::Buffer& out) const {
  known.put_records(out);
  for (size_t i = 0; options_.tally && i < tallies.size(); ++i) {
    report::json_tally(out, *rules::catalog()[i], tallies[i]);
  }
  if (options_.scorecard) {
    report::json_score(out, score_);
  }
  const report::AuditedFiles all = this->all();
  report::json_summary(out, {.files = all.files.size(),
                             .counters = report::sum_of(all.files),
                             .findings = &all.found,
                             .cut = cut_,
                             .damaged = damaged_,
                             .seen = nullptr,
                             .each = &all});
}

void EachTotals::put_text(report::Buffer& out, const report::TextStyle& style) const {
  known.put_exceeded(out, verdict, options_.max_repeat, style);
  if (options_.tally) {
    report::text_tallies(out, tallies, options_.idle(), style);
  }
  report::text_each(out, all(), style);
  report::text_policies(out, settings_.told_by);
  known.put_known(out);
  if (options_.scorecard) {
    report::text_score(out, score_, style);
  }
}

report::AuditReport EachTotals::report(const report::Files& files, const Counters& counters) const {
  report::AuditReport report = options_.report(settings_, verdict, tallies, counters, files);
  report.found = found_;
  report.cut = cut_;
  report.damaged = damaged_;
  report.status = status;
  known.tell(report);
  return report;
}

}  // namespace steertag::product
