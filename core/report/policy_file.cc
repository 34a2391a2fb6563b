#include "report/policy_file.h"

#include <fmt/core.h>

#include "base/named.h"
#include "base/printable.h"

namespace steertag::report {

std::string_view name(PolicyFile::Kind kind) {
  static constexpr std::string_view names[] = {"configuration", "baseline", "profile"};
  return base::named<PolicyFile::Kind::profile>(names, kind);
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
