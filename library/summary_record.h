// SummaryRecord: the members of steertag::Summary, listed as those of every record are
// (report/record/member.h): what of the record "summary" a program has that reads one capture and is told by
// its reader how that ended.
#pragma once

#include <string_view>

#include "analyzer.h"
#include "report/finding.h"
#include "report/record/summary.h"
#include "report/seen.h"

namespace steertag::library {

struct SummaryRecord {
  static constexpr std::string_view kSays = "How much was read, and what was found in it.";

  const Counters& counters;
  const report::FindingCounts* findings = nullptr;  // null: no rule was asked
  const report::Seen& seen;
};

template <typename To>
void tell(To& to, const SummaryRecord& told) {
  namespace record = report::record;
  record::tell_amounts(to, told.counters, {"RPC-over-RDMA messages in them.", "RPCs."});
  to.object_if({"findings", "findings"}, told.findings != nullptr, [&] {
    record::tell_findings(to, told.findings != nullptr ? *told.findings : report::FindingCounts{});
  });
  record::tell_lacks(
      to, told.counters,
      {"Packets that are known to be missing from the capture.",
       "What was given up to stay within Settings::memory: connections, RPCs, packets that waited."});
  record::tell_seen(to, &told.seen, told.counters);
}

}  // namespace steertag::library
