#include "report/policy_file.h"

#include <fmt/core.h>

#include "base/printable.h"

namespace steertag::report {

std::string_view name(PolicyFile::Kind kind) {
  switch (kind) {
    case PolicyFile::Kind::configuration:
      return "configuration";
    case PolicyFile::Kind::baseline:
      return "baseline";
    case PolicyFile::Kind::profile:
      return "profile";
  }
  return {};
}

std::vector<std::string> names_of(std::span<const PolicyFile> policies) {
  std::vector<std::string> names;
  for (const PolicyFile& policy : policies) {
    names.push_back(policy.file);
  }
  return names;
}

std::string policy_text(const PolicyFile& policy) {
  const std::string_view role =
      policy.kind == PolicyFile::Kind::configuration ? "configured by" : name(policy.kind);
  return fmt::format("{} {} (SHA-256 {})", role, base::printable(policy.file), policy.sha256);
}

void text_policies(Buffer& out, std::span<const PolicyFile> policies) {
  for (const PolicyFile& policy : policies) {
    print(out, "{}\n", policy_text(policy));
  }
}

}  // namespace steertag::report
