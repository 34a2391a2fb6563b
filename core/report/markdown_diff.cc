#include "report/diff_words.h"
#include "report/markdown_text.h"

namespace steertag::report {

void markdown_diff(Buffer& out, const DiffReport& report) {
  const diff::Comparison& comparison = report.comparison;
  print(out, "### steertag diff: {}\n\n", verdict_words(comparison));
  print(out, "- before: {}\n- after: {}\n", markdown_cell(side_words(report.before)),
        markdown_cell(side_words(report.after)));
  if (!comparison.differences.empty()) {
    put(out, "\n|   | what | before | after | change | see |\n|---|---|---|---|---|---|\n");
  }
  for (const diff::Difference& difference : comparison.differences) {
    const DiffWords one = words(difference, report);
    const std::string what = difference.operation ? one.group + ", " + one.what : one.what;
    print(out, "| {} | {} | {} | {} | {} | {} |\n", difference.regression ? "**regression**" : "",
          markdown_cell(what), markdown_cell(one.before), markdown_cell(one.after), markdown_cell(one.change),
          markdown_cell(one.look));
  }
  if (const std::string limits = limits_words(report); !limits.empty()) {
    print(out, "\n{}\n", markdown_cell(limits));
  }
}

}  // namespace steertag::report
