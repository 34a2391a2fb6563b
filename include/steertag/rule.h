// What `steertag schema` describes, as structs of your own. A member that does not apply is unset, empty, 0
// or false.
// Made of the records in core/report/record, which say each member once, by scripts/update-expected.
// clang-format off
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <steertag/version.h>

namespace steertag::v0 {

// error: a MUST is broken; warning: a SHOULD, or what the documents imply; note: advice.
enum class Severity : uint8_t { note, warning, error };
constexpr std::string_view name(Severity value) {
  constexpr std::array<std::string_view, 3> names = {"note", "warning", "error"};
  return static_cast<size_t>(value) < names.size() ? names[static_cast<size_t>(value)] : std::string_view();
}

struct RuleSource {
  std::string document;
  std::string section;
};

// A rule (from rules, which prints neither stream nor summary).
struct Rule {
  std::string rule;  // The id of the rule; steertag rules ID explains it.
  std::string name;  // What it finds, in a few words.
  // error: a MUST is broken; warning: a SHOULD, or what the documents imply; note: advice.
  Severity severity{};
  RuleSource source;  // The clause that requires it.
  std::vector<std::string> also;  // Further documents that require it.
  std::string requirement;  // What is required.
  std::string why;  // Why it matters.
  // Its page, in Markdown, with traffic that breaks and that keeps it; where the rule was asked for by its
  // id.
  std::string page;
};

// How often a rule was put to the test (from audit --tally).
struct Tally {
  std::string rule;  // The id of the rule; steertag rules ID explains it.
  uint64_t checked = 0;  // How many times it applied; 0 proves nothing.
  uint64_t kept = 0;  // How many of these times it was kept.
  uint64_t broken = 0;  // How many times it was broken.
  uint64_t undecided = 0;  // How many times the capture does not show which.
};

}  // namespace steertag::v0
