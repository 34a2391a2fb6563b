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

#include <steertag/rule.h>
#include <steertag/version.h>

namespace steertag::v0 {

enum class FindingCertainty : uint8_t { possible, likely, definite };
constexpr std::string_view name(FindingCertainty value) {
  constexpr std::array<std::string_view, 3> names = {"possible", "likely", "definite"};
  return static_cast<size_t>(value) < names.size() ? names[static_cast<size_t>(value)] : std::string_view();
}

enum class FindingBlame : uint8_t { undecided, requester, responder };
constexpr std::string_view name(FindingBlame value) {
  constexpr std::array<std::string_view, 3> names = {"undecided", "requester", "responder"};
  return static_cast<size_t>(value) < names.size() ? names[static_cast<size_t>(value)] : std::string_view();
}

struct FindingSource {
  std::string document;
  std::string section;
};

// A requirement that was broken (from audit).
struct Finding {
  std::string rule;  // The id of the rule; steertag rules ID explains it.
  // error: a MUST is broken; warning: a SHOULD, or what the documents imply; note: advice.
  Severity severity{};
  FindingCertainty certainty{};  // possible: frames missing from the capture could explain it.
  uint64_t frame = 0;  // Where it was broken.
  int64_t time_ns = 0;  // Of frame. Nanoseconds since the epoch.
  uint32_t conn = 0;  // The number of the connection.
  std::optional<uint32_t> xid;  // The XID.
  std::string message;  // For people; may change from version to version.
  uint64_t count = 0;  // How many violations it stands for, the first of which it shows.
  FindingBlame blame{};  // The role of who broke it.
  std::string by;  // The end that broke it.
  // What the RPC was sent for: the operation that counts of a COMPOUND, the procedure of other programs.
  std::string op;
  std::string fingerprint;  // Equal for the same behaviour in every capture.
  std::optional<uint32_t> offset;  // Of the place at fault, in bytes from the start of the message.
  std::optional<uint32_t> length;  // Of the place at fault, in bytes.
  FindingSource source;  // The clause that requires it.
  std::vector<uint64_t> related;  // Earlier frames that it rests on.
};

}  // namespace steertag::v0
