// BaselineFile: the file that steertag baseline writes, and what it held before: reasons that were given are
// kept, where what they are given for is still there, or may be.
// Entries are in order of the rule, then of who is to blame, and so on, so that a new one shows as a change
// of one place.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/known.h"
#include "report/policy_file.h"
#include "report/verdict.h"

namespace steertag::host {

// The entry for all findings with this fingerprint.
report::Known known_of(uint64_t fingerprint, const report::Alike& alike);

// What a run looked at: what is not there was dropped by it only if it would have been found.
struct Looked {
  std::function<bool(std::string_view rule)> at;
  bool at_all = true;  // of the captures, to their ends
};

class BaselineFile {
 public:
  BaselineFile() = default;
  // Reads what is there. Throws Failure where that is no baseline: it would be lost.
  explicit BaselineFile(const std::string& path);

  // The entries that it is to have, in order, where these were found.
  std::vector<report::Known> updated(std::vector<report::Known> found, const Looked& looked) const;
  // The text of a file with these entries, which were found under these policies.
  static std::string text(const std::vector<report::Known>& entries,
                          std::span<const report::PolicyFile> policies);
  // What becomes of the entries that it has: "known.toml: 3 entries: 1 new, 2 with the reason kept, 0
  // dropped"; empty where it had none.
  std::string changes(const std::vector<report::Known>& entries) const;

 private:
  // Of a list, the entry with this fingerprint; null: there is none.
  static const report::Known* entry(const std::vector<report::Known>& list, uint64_t fingerprint);

  std::string path_;
  std::vector<report::Known> held_;
};

}  // namespace steertag::host
