// The audit of one capture among several that are audited apart (--each), from its first frame to its last:
// what run() does for one run, on one thread, and without an end of its own. What it has found is printed as
// it comes; what it has counted is handed back.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/run_options.h"
#include "host/trace.h"
#include "product/audit.h"
#include "product/each.h"
#include "product/records.h"
#include "report/palette.h"

namespace steertag::host {

// Where its records go, as Context has them, and in which colours.
struct FileRecords {
  product::Records& main;
  std::vector<product::Records*> reports;
  report::Palette palette;
};

// `trace` is open, or null: then the file is opened now. Where `stop` becomes true nobody wants the rest.
product::FileAudit audit_file(const std::string& path, std::unique_ptr<Trace> trace,
                              const product::AuditOptions& audit, const RunOptions& options,
                              const FileRecords& records, const std::atomic<bool>& stop);

// That of one that cannot be read, and of one that an interruption left.
product::FileAudit unread_file(const std::string& path, const std::string& trouble);
product::FileAudit unbegun_file(const std::string& path, const RunOptions& options);

// What a Failure says of this file: the reason alone.
std::string without_name(std::string_view what, const std::string& path);

}  // namespace steertag::host
