// The audit of one capture among several that are audited apart (--each), from its first frame to its last:
// what run() does for one run, on one thread, and without an end of its own. What it has found is printed as
// it comes; what it has counted is handed back.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer.h"
#include "auditor.h"
#include "host/trace.h"
#include "known_watch.h"
#include "options.h"
#include "product/records.h"
#include "report/each.h"
#include "report/palette.h"
#include "report/seen.h"
#include "report/verdict.h"
#include "rules/tally.h"

namespace steertag::cli {

struct FileAudit {
  report::AuditedFile row;
  std::vector<std::string> complaints;  // for standard error, each of one line
  std::vector<rules::Tally> tallies;
  std::optional<report::Verdict> verdict;  // where the options ask for one
  std::optional<KnownWatch> known;         // unset where it could not be read
  report::Seen seen;
  bool interrupted = false;
};

// Where its records go, as Context has them, and in which colours.
struct FileRecords {
  product::Records& main;
  std::vector<product::Records*> reports;
  report::Palette palette;
};

// `trace` is open, or null: then the file is opened now. Where `stop` becomes true nobody wants the rest.
FileAudit audit_file(const std::string& path, std::unique_ptr<host::Trace> trace, const AuditOptions& options,
                     const FileRecords& records, const std::atomic<bool>& stop);

// That of one that cannot be read, and of one that an interruption left.
FileAudit unread_file(const std::string& path, const std::string& trouble);
FileAudit unbegun_file(const std::string& path, const ReadingOptions& options);

uint64_t rules_judged(const std::vector<rules::Tally>& tallies);

// What a Failure says of this file: the reason alone.
std::string without_name(std::string_view what, const std::string& path);

}  // namespace steertag::cli
