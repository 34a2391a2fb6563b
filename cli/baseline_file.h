// BaselineFile: the file that steertag baseline writes, and what it held before: reasons that were given are
// kept, where what they are given for is still there.
// Entries are in order of the rule, then of who is to blame, and so on, so that a new one shows as a change
// of one place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/known.h"
#include "report/verdict.h"

namespace steertag::cli {

// The entry for all findings with this fingerprint.
report::Known known_of(uint64_t fingerprint, const report::Alike& alike);

class BaselineFile {
 public:
  BaselineFile() = default;
  // Reads what is there. Throws Failure where that is no baseline: it would be lost.
  explicit BaselineFile(const std::string& path);

  // The text of the file with these entries.
  std::string with(std::vector<report::Known> entries) const;
  // What becomes of the entries that it has: "known.toml: 1 entry is new, 5 keep their reasons"; empty where
  // it had none.
  std::string changes(const std::vector<report::Known>& entries) const;

 private:
  const report::Known* before(uint64_t fingerprint) const;

  std::string path_;
  std::vector<report::Known> held_;
};

}  // namespace steertag::cli
