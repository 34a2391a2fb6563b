// EachTotals: what captures that are audited apart add up to: their rows in the order in which they were
// named, the tallies of all, and, where they are asked for, one Score and one Verdict in which each finding
// has its file. A FileAudit is what is handed back of one of them: an AuditProduct has printed the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "product/audit.h"
#include "product/known_watch.h"
#include "product/settings.h"
#include "report/audit_report.h"
#include "report/buffer.h"
#include "report/each.h"
#include "report/files.h"
#include "report/score.h"
#include "report/seen.h"
#include "report/text.h"
#include "report/verdict.h"
#include "rules/tally.h"

namespace steertag::product {

struct FileAudit {
  report::AuditedFile row;
  std::vector<std::string> complaints;  // for people, each of one line
  std::vector<rules::Tally> tallies;
  std::optional<report::Verdict> verdict;  // where the options ask for one
  std::optional<KnownWatch> known;         // unset where it could not be read
  report::Seen seen;
  bool interrupted = false;
};

uint64_t rules_judged(const std::vector<rules::Tally>& tallies);

class EachTotals {
 public:
  // Both outlive it.
  EachTotals(const AuditOptions& options, const Settings& settings);

  void add(FileAudit& audit);
  // All have been added: whether of what is known there is too much in all of them together.
  void settle();

  // What is printed below the records of all files.
  void put_jsonl(report::Buffer& out) const;
  void put_text(report::Buffer& out, const report::TextStyle& style) const;
  // For the forms that are written when all is known.
  report::AuditReport report(const report::Files& files, const Counters& counters) const;

  std::vector<report::AuditedFile> rows;
  std::vector<rules::Tally> tallies;
  report::Verdict verdict;
  KnownWatch known;
  int status = 0;
  bool complete = true;   // all of them were read to the end
  size_t unfinished = 0;  // captures

 private:
  report::AuditedFiles all() const;

  const AuditOptions& options_;
  const Settings& settings_;
  report::Score score_;
  report::FindingCounts found_;
  std::string cut_;
  bool damaged_ = false;
};

}  // namespace steertag::product
