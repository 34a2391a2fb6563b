// A capture on one screen, for people: what it is of, whether all is well, what happened, where to look and
// what to run next. At most 25 lines of at most 80 columns: incidents that have no room are counted. Programs
// should read the JSON records instead (report/incident.h); text may change.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer.h"
#include "incident/incident.h"
#include "report/buffer.h"
#include "report/finding.h"
#include "report/text.h"
#include "stats/judge.h"

namespace steertag::report {

inline constexpr size_t kSummaryLines = 25, kSummaryWidth = 80;

struct OneScreen {
  const std::vector<incident::Incident>& incidents;
  const stats::Counted& counted;
  const Counters& counters;
  const FindingCounts& found;
};

void text_summary(Buffer& out, const OneScreen& screen, const TextStyle& style);

}  // namespace steertag::report
