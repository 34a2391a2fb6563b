#include "report/diff_words.h"
#include "report/markdown.h"

namespace steertag::report {

void markdown_diff(Buffer& out, const DiffReport& report) {
  const diff::Comparison& comparison = report.comparison;
  print(out, "### steertag diff: {}\n\n", verdict_words(comparison));
  print(out, "- before: {}\n- after: {}\n", markdown(side_words(report.before)),
        markdown(side_words(report.after)));
  if (!comparison.differences.empty()) {
    put(out, "\n|   | what | before | after | change | see |\n|---|---|---|---|---|---|\n");
  }
  for (const diff::Difference& difference : comparison.differences) {
    const DiffWords one = words(difference, report);
    const std::string what = difference.operation ? one.group + ", " + one.what : one.what;
    print(out, "| {} | {} | {} | {} | {} | {} |\n", difference.regression ? "**regression**" : "",
          markdown(what), markdown(one.before), markdown(one.after), markdown(one.change),
          markdown(one.look));
  }
  if (const std::string limits = limits_words(report); !limits.empty()) {
    print(out, "\n{}\n", markdown(limits));
  }
}

}  // namespace steertag::report
