#include "product/known_watch.h"

#include "report/finding.h"

namespace steertag::product {

std::optional<uint64_t> KnownWatch::taken() const {
  return any() ? std::optional(tally_.findings()) : std::nullopt;
}

bool KnownWatch::settle(report::FindingCounts& found, report::Verdict& verdict, bool complete) {
  whole_ = whole_ && complete;
  bool fails = false;
  found.known = 0;
  for (const report::KnownTally::OfFile& file : tally_.by_file()) {
    *found.known += file.findings;
  }
  for (const report::KnownTally::Exceeded& exceeded : tally_.exceeded()) {
    found.add(exceeded.findings);
    verdict.exceeded(exceeded.known);
    fails |= exceeded.fails;
  }
  return fails || (policy_->strict_baseline && !stale().empty());
}

std::vector<std::string> KnownWatch::complaints() const {
  std::vector<std::string> lines;
  if (policy_->strict_baseline) {
    for (const report::Known* known : stale()) {
      lines.push_back(report::stale_text(*known));
    }
  }
  return lines;
}

// What was not looked for is not missed.
std::vector<const report::Known*> KnownWatch::stale() const {
  std::vector<const report::Known*> all = tally_.stale();
  std::erase_if(all,
                [this](const report::Known* known) { return !whole_ || !policy_->wants_any(known->rule); });
  return all;
}

void KnownWatch::put_exceeded(report::Buffer& out, const report::Verdict& verdict, uint64_t most,
                              const report::TextStyle& style) const {
  const std::vector<report::KnownTally::Exceeded> all = tally_.exceeded();
  const std::vector<const report::KeptFinding*> kept =
      all.empty() ? std::vector<const report::KeptFinding*>() : verdict.findings();
  for (const report::KnownTally::Exceeded& exceeded : all) {
    uint64_t lines = 0;
    for (const report::KeptFinding* finding : kept) {
      if (finding->fingerprint == exceeded.known.fingerprint && (most == 0 || lines < most)) {
        report::text_finding(out, *finding, style);
        ++lines;
      }
    }
    report::text_exceeded(out, exceeded);
  }
}

void KnownWatch::put_known(report::Buffer& out) const {
  report::text_by_file(out, tally_.by_file());
  for (const report::Known* known : stale()) {
    report::print(out, "{}\n", report::stale_text(*known));
  }
}

void KnownWatch::tell(report::AuditReport& report) const {
  for (const report::Known* known : stale()) {
    report.stale.push_back(report::stale_text(*known));
  }
  report.stale_fails = policy_->strict_baseline;
}

void KnownWatch::put_records(report::Buffer& out) const {
  for (const report::KnownTally::Exceeded& exceeded : tally_.exceeded()) {
    report::json_exceeded(out, exceeded);
  }
  for (const report::Known* known : stale()) {
    report::json_stale(out, *known);
  }
}

}  // namespace steertag::product
