// Reports of a whole audit, in the forms that others read: each function appends a whole document, made of
// what is known when the audit is over. What comes from captures, and the names of their files, is escaped as
// the form demands.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer.h"
#include "incident/incident.h"
#include "report/buffer.h"
#include "report/files.h"
#include "report/policy_file.h"
#include "report/verdict.h"
#include "rules/tally.h"

namespace steertag::report {

struct AuditReport {
  const Verdict& verdict;
  std::span<const rules::Tally> tallies;  // by rule, in the order of the catalog
  const Counters& counters;
  FindingCounts found;
  Files files;
  std::string_view version;                          // of this tool
  std::string_view cut;                              // "truncated", "interrupted"; empty where all was read
  bool damaged = false;                              // the rest of a capture made no sense
  int status = 0;                                    // exit status
  std::string_view folder;                           // that it was run in, an absolute path; empty: not known
  std::span<const PolicyFile> policies{};            // what it was configured by
  std::function<bool(const rules::Rule&)> wanted;    // was asked for
  std::function<bool(const rules::Rule&)> required;  // has to be judged
  // Whether a finding turns the exit status into 1.
  std::function<bool(rules::Severity, rules::Certainty)> fails;
  // What is known and was found no more, an entry each, in a sentence; and whether that fails the audit.
  std::vector<std::string> stale{};
  bool stale_fails = false;
  // What happened, the gravest first; only markdown tells it.
  std::span<const incident::Incident> incidents{};
};

// SARIF 2.1.0: every rule that was asked for, every finding, for GitHub's code scanning and for editors.
void sarif(Buffer& out, const AuditReport& report);
// A test case for each rule that was asked for, as JUnit writes them.
void junit(Buffer& out, const AuditReport& report);
// Annotations of GitHub's workflows: the worst findings, and how many more there are.
void github(Buffer& out, const AuditReport& report);
// A summary of less than 1 MiB for the page of a job, or a comment.
void markdown(Buffer& out, const AuditReport& report);
// GitLab's code quality: a list of issues.
void gitlab(Buffer& out, const AuditReport& report);

}  // namespace steertag::report
