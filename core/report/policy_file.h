// PolicyFile: a file that had a part in a verdict beside the captures: a configuration, a baseline, or a
// profile that comes with Steertag. Each form of a report names all of them, with the digest of the bytes
// that were read, so that whoever has a verdict sees what it rests on, and can have the same again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/buffer.h"

namespace steertag::report {

struct PolicyFile {
  enum class Kind : uint8_t { configuration, baseline, profile };
  Kind kind = Kind::configuration;
  std::string file;    // its path, as messages name it
  std::string sha256;  // of what was read, 64 hex digits
};

// "configuration", "baseline", "profile"
std::string_view name(PolicyFile::Kind kind);
std::vector<std::string> names_of(std::span<const PolicyFile> policies);
// "configured by steertag.toml (SHA-256 9f86d081...)", "baseline known.toml (SHA-256 ...)". For people.
std::string policy_text(const PolicyFile& policy);
// The same, a line each.
void text_policies(Buffer& out, std::span<const PolicyFile> policies);

}  // namespace steertag::report
