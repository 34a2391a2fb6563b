// What changed from one capture to another, in the forms that people, programs and reviewers read: text, JSON
// Lines (records "difference", and a "summary" with what both sides had), a table in Markdown for a comment.
// Each function appends a whole document, but for the JSON Lines, each of which is one function.
#pragma once

#include <cstdint>
#include <string_view>

#include "analyzer.h"
#include "diff/compare.h"
#include "report/buffer.h"
#include "report/files.h"
#include "report/finding.h"
#include "report/text.h"
#include "report/verdict.h"

namespace steertag::report {

// One of the two.
struct DiffSide {
  Files files;
  const Counters& counters;
  FindingCounts found;
  std::string_view cut;  // "truncated"; empty where all was read
  bool damaged = false;  // the rest of a capture made no sense
  uint64_t untold = 0;   // violations and RPCs beyond the bounds of what is told apart
};

struct DiffReport {
  const diff::Comparison& comparison;
  DiffSide before, after;
};

// What compare() takes of an audit.
diff::Faults faults(const Verdict& verdict);

// Fits line_width(). `brief`: only what differs.
enum class DiffExtent : uint8_t { whole, brief };
void text_diff(Buffer& out, const DiffReport& report, const TextStyle& style, DiffExtent extent);
void markdown_diff(Buffer& out, const DiffReport& report);
// {"type":"difference"}, one line.
void json_difference(Buffer& out, const diff::Difference& difference, const DiffReport& report);
// {"type":"summary"}. Unset where there was no comparison: it was interrupted.
void json_diff_summary(Buffer& out, const DiffReport& report, std::string_view interrupted);

}  // namespace steertag::report
