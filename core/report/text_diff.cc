#include "report/diff_words.h"
#include "report/table.h"
#include "report/text_stats.h"

namespace steertag::report {

diff::Faults faults(const Verdict& verdict) {
  diff::Faults made;
  for (const auto& [fingerprint, alike] : verdict.alike()) {
    made.emplace(fingerprint, diff::Fault{.fingerprint = fingerprint,
                                          .rule = alike.rule,
                                          .severity = alike.severity,
                                          .certainty = alike.certainty,
                                          .blame = alike.blame,
                                          .version = alike.version,
                                          .op = alike.op,
                                          .shape = alike.shape,
                                          .count = alike.count,
                                          .at = alike.at});
  }
  return made;
}

void text_diff(Buffer& out, const DiffReport& report, const TextStyle& style, DiffExtent extent) {
  const size_t width = line_width(style);
  const bool whole = extent == DiffExtent::whole;
  if (whole) {
    put_wrapped(out, "before  ", side_words(report.before), width);
    put_wrapped(out, "after   ", side_words(report.after), width);
  }
  std::string group;
  for (const diff::Difference& difference : report.comparison.differences) {
    const DiffWords one = words(difference, report);
    if (one.group != group) {
      if (whole || !group.empty()) {
        put(out, '\n');
      }
      paint(out, style.palette, style.palette.title, one.group);
      put(out, '\n');
      group = one.group;
    }
    std::string line = fmt::format("{}: {} -> {}", one.what, one.before, one.after);
    line += one.change.empty() ? "" : ", " + one.change;
    line += one.look.empty() ? "" : "; see " + one.look;
    put(out, difference.regression ? style.palette.bad : "");
    put_wrapped(out, difference.regression ? "! " : "  ", line, width);
    put(out, difference.regression ? style.palette.reset : "");
  }
  if (whole) {
    put(out, '\n');
  }
  if (whole || group.empty()) {
    const std::string_view mark = report.comparison.regressions() != 0 ? " (!)" : "";
    put_wrapped(out, "", fmt::format("{}{}", verdict_words(report.comparison), mark), width);
  }
  if (const std::string limits = limits_words(report); whole && !limits.empty()) {
    put_wrapped(out, "", limits, width);
  }
}

}  // namespace steertag::report
