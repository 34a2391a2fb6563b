// Reports of a whole audit, in the forms that others read: each function appends a whole document, made of
// what is known when the audit is over. What comes from captures, and the names of their files, is escaped as
// the form demands.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "analyzer.h"
#include "report/buffer.h"
#include "report/files.h"
#include "report/verdict.h"
#include "rules/tally.h"

namespace steertag::report {

struct AuditReport {
  const Verdict& verdict;
  std::span<const rules::Tally> tallies;  // by rule, in the order of the catalog
  const Counters& counters;
  Files files;
  std::string_view version;                        // of this tool
  std::string_view cut;                            // "truncated", "interrupted"; empty where all was read
  bool damaged = false;                            // the rest of a capture made no sense
  int status = 0;                                  // exit status
  std::function<bool(const rules::Rule&)> wanted;  // was asked for

  // What accepts this finding, with the reason; null where it counts against the run.
  static const Known* known(const KeptFinding& finding) { return finding.known; }
};

// GitLab's code quality: a list of issues.
void gitlab(Buffer& out, const AuditReport& report);

}  // namespace steertag::report
