// What becomes of captures that are audited apart: a row for each of them and one for all, as a table.
// As records they are json_file(), and json_summary() of all (report/stream.h).
// A file that could not be read has a row, too.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "analyzer.h"
#include "report/buffer.h"
#include "report/finding.h"
#include "report/text.h"

namespace steertag::report {

struct AuditedFile {
  std::string path;
  int status = 0;  // as if it had been audited alone
  Counters counters;
  FindingCounts found;
  uint64_t judged = 0;  // rules that had a verdict
  std::string cut;      // "truncated", "interrupted"; empty where all was read
  bool damaged = false;
  bool unread = false;  // it could not be read at all, or nobody came to it
  std::string remark;   // what the numbers do not say; of one that is unread, why

  // What was not found was not there to be found.
  bool complete() const { return !unread && cut.empty() && !damaged && counters.given_up == 0; }
};

struct AuditedFiles {
  std::span<const AuditedFile> files;
  int status = 0;       // the worst
  FindingCounts found;  // what was known, but is too much in all of them, included
  uint64_t judged = 0;  // rules that had a verdict in any of them
};

// How many have status 0, 1 and 2.
struct FileCounts {
  uint64_t passed = 0, failed = 0, unread = 0;
};
FileCounts counts_of(std::span<const AuditedFile> files);
// Counted over all of them.
Counters sum_of(std::span<const AuditedFile> files);
FindingCounts found_in(std::span<const AuditedFile> files);

// The folder that all of them are in is named once. Of `style.width` columns.
void text_each(Buffer& out, const AuditedFiles& all, const TextStyle& style);

}  // namespace steertag::report
