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
#include "known_watch.h"
#include "report/each.h"
#include "report/score.h"
#include "report/verdict.h"
#include "rules/catalog.h"
#include "rules/tally.h"

namespace steertag::cli {

struct EachTotals {
  explicit EachTotals(const AuditOptions& chosen)
      : options(chosen),
        tallies(rules::catalog().size()),
        known(chosen.rules, chosen.filter.connections.empty() && chosen.filter.xids.empty()) {}

  void add(FileAudit& audit) {
    for (size_t i = 0; i < std::min(tallies.size(), audit.tallies.size()); ++i) {
      tallies[i].add(audit.tallies[i]);
    }
    if (audit.verdict && options.scorecard) {
      score.add(report::score(audit.tallies, *audit.verdict, options.terms()),
                static_cast<uint32_t>(rows.size()));
    }
    if (audit.verdict && (options.keeps() || options.wants_verdict || known.any())) {
      verdict.append(*audit.verdict, static_cast<uint32_t>(rows.size()));
    }
    if (audit.known) {
      known.take_over(*audit.known);
    }
    complete &= audit.known && audit.row.complete();
    status = std::max(status, audit.row.status);
    damaged |= audit.row.damaged;
    cut = cut == "interrupted" || audit.row.cut.empty() ? cut : audit.row.cut;
    unfinished += audit.interrupted ? 1 : 0;
    rows.push_back(std::move(audit.row));
  }
  // All have been added: whether of what is known there is too much in all of them together.
  void settle() {
    found = report::found_in(rows);
    if (known.any() && known.settle(found, verdict, complete)) {
      status = std::max(status, 1);
    }
  }
  report::AuditedFiles all() const {
    return {.files = rows, .status = status, .found = found, .judged = rules_judged(tallies)};
  }

  const AuditOptions& options;
  std::vector<report::AuditedFile> rows;
  std::vector<rules::Tally> tallies;
  report::Verdict verdict;
  report::Score score;
  KnownWatch known;
  report::FindingCounts found;
  int status = 0;
  std::string cut;
  bool damaged = false;
  bool complete = true;   // all of them were read to the end
  size_t unfinished = 0;  // captures
};

}  // namespace steertag::cli
