// The frame around the records of every command that reads captures: "stream"
// is its first line, "summary" its last. Readers know from the first what wrote the
// rest, and from the last that nothing is missing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer.h"
#include "report/buffer.h"
#include "report/finding.h"
#include "report/policy_file.h"
#include "report/seen.h"

namespace steertag::report {

struct AuditedFile;
struct AuditedFiles;

struct Summary {
  uint64_t files = 0;
  Counters counters;
  const FindingCounts* findings = nullptr;  // null where no rule ran
  std::string_view cut;                     // "truncated", "interrupted"; empty where all was read
  bool damaged = false;                     // the rest of a capture made no sense
  const Seen* seen = nullptr;               // reported where there was no RPC-over-RDMA
  const AuditedFiles* each = nullptr;       // where they were audited apart
};

// {"type":"stream"}; `policies`: what the run was configured by.
void json_stream(Buffer& out, std::string_view version, std::span<const PolicyFile> policies = {});
// {"type":"summary"}
void json_summary(Buffer& out, const Summary& summary);
// {"type":"file"}: the same of one of several files that were audited apart, with its status.
void json_file(Buffer& out, const AuditedFile& file, const Seen& seen);

}  // namespace steertag::report
