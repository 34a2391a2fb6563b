// EachTotals: what captures that are audited apart add up to: their rows in the order in which they were
// named, the tallies of all, and, where they are asked for, one Score and one Verdict in which each finding
// has its file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "auditor.h"
#include "file_audit.h"
#include "report/each.h"
#include "report/score.h"
#include "report/verdict.h"
#include "rules/catalog.h"
#include "rules/tally.h"

namespace steertag::cli {

struct EachTotals {
  explicit EachTotals(const AuditOptions& chosen) : options(chosen), tallies(rules::catalog().size()) {}

  void add(FileAudit& audit) {
    for (size_t i = 0; i < std::min(tallies.size(), audit.tallies.size()); ++i) {
      tallies[i].add(audit.tallies[i]);
    }
    if (audit.verdict && options.scorecard) {
      score.add(report::score(audit.tallies, *audit.verdict, options.terms()),
                static_cast<uint32_t>(rows.size()));
    }
    if (audit.verdict && options.keeps()) {
      verdict.append(*audit.verdict, static_cast<uint32_t>(rows.size()));
    }
    status = std::max(status, audit.row.status);
    damaged |= audit.row.damaged;
    cut = cut == "interrupted" || audit.row.cut.empty() ? cut : audit.row.cut;
    unfinished += audit.interrupted ? 1 : 0;
    rows.push_back(std::move(audit.row));
  }
  report::AuditedFiles all() const {
    return {.files = rows, .status = status, .judged = rules_judged(tallies)};
  }

  const AuditOptions& options;
  std::vector<report::AuditedFile> rows;
  std::vector<rules::Tally> tallies;
  report::Verdict verdict;
  report::Score score;
  int status = 0;
  std::string cut;
  bool damaged = false;
  size_t unfinished = 0;  // captures
};

}  // namespace steertag::cli
