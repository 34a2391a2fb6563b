#include <string_view>

#include "report/diff.h"
#include "report/record/difference.h"
#include "report/record/json_teller.h"
#include "report/record/summary.h"

namespace steertag::report {

void json_difference(Buffer& out, const diff::Difference& difference, const DiffReport& report) {
  record::print(out, record::Difference{difference, report.before.files, report.after.files});
}

void json_diff_summary(Buffer& out, const DiffReport& report, std::string_view interrupted) {
  const Counters &before = report.before.counters, &after = report.after.counters;
  Summary both;
  both.files = report.before.files.names.size() + report.after.files.names.size();
  both.counters.frames = before.frames + after.frames;
  both.counters.messages = before.messages + after.messages;
  both.counters.exchanges = before.exchanges + after.exchanges;
  both.counters.connections = before.connections + after.connections;
  both.counters.lost = before.lost + after.lost;
  both.cut = !interrupted.empty()         ? interrupted
             : !report.before.cut.empty() ? report.before.cut
                                          : report.after.cut;
  both.damaged = report.before.damaged || report.after.damaged;
  record::print(out, record::Summary{both, &report, interrupted.empty()});
}

}  // namespace steertag::report
