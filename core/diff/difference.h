// Difference: one thing in which two captures differ, with its value in both. Values of what happens to RPCs
// are "so many, of so many": captures of different length are compared by the share.
// Made by compare() (compare.h), printed by report/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/named.h"
#include "frame.h"
#include "rules/finding.h"
#include "rules/rule.h"
#include "stats/operation.h"

namespace steertag::diff {

// All findings with one fingerprint (rules/fingerprint.h).
struct Fault {
  uint64_t fingerprint = 0;
  const rules::Rule* rule = nullptr;
  rules::Severity severity = rules::Severity::note;         // the gravest
  rules::Certainty certainty = rules::Certainty::possible;  // the surest
  rules::Blame blame = rules::Blame::undecided;
  uint32_t version = 0;
  std::string op, shape;
  uint64_t count = 0;  // violations: a finding may stand for several
  Stamp at;            // of the first
};

// What the values are of. Reports group by it, in this order.
enum class Kind : uint8_t {
  network,       // "retransmissions", "NAKs", "RNR NAKs"
  finding,       // violations of one fingerprint, of all RPCs
  rule,          // verdicts of a rule, where one side has none
  operation,     // RPCs of an operation
  failure,       // RPCs of it that failed in one way
  retries,       // Calls of it that were sent again
  latency,       // of it: "p50", "p99", ns; of so many RPCs
  size,          // bytes of "arguments" or "results", on the average; of so many RPCs
  calls,         // that went "inline", "reduced", "long"
  replies,       // the same
  chunks,        // "RPCs" with such chunks; "segments" of them, bytes "advertised" and "moved"
  invalidation,  // Replies that invalidate remotely, of those to Calls with chunks
  credits,       // the most that were "granted", "requested"
  connections,   // "connections"; of a transport or a version that one side has not: "roce2", "version 1"
};
inline constexpr std::array kind_names = std::to_array<std::string_view>(
    {"network", "finding", "rule", "operation", "failure", "retries", "latency", "size", "calls", "replies",
     "chunks", "invalidation", "credits", "connections"});
static_assert(kind_names.size() == static_cast<size_t>(Kind::connections) + 1);
constexpr std::string_view name(Kind kind) {
  const auto place = static_cast<size_t>(kind);
  return place < kind_names.size() ? kind_names[place] : std::string_view();
}

enum class Unit : uint8_t { count, bytes, ns };

// Of what is printed: of ns, microseconds.
inline std::string_view name(Unit unit) {
  static constexpr std::string_view names[] = {"count", "bytes", "us"};
  return base::named<Unit::ns>(names, unit);
}

struct Amount {
  uint64_t value = 0;
  uint64_t of = 0;  // 0: of nothing in particular

  friend bool operator==(const Amount&, const Amount&) = default;
};

struct Difference {
  Kind kind = Kind::finding;
  std::string what{};     // as above; of a finding its shape, of a rule its id, of an operation its name
  std::string measure{};  // of chunks: "RPCs", "segments", "advertised", "moved"
  Unit unit = Unit::count;
  Amount before{}, after{};
  bool regression = false;
  // latency: the chance that two runs that are alike differ so much (stats/chance.h).
  std::optional<double> chance{};
  std::optional<stats::Operation> operation{};
  std::optional<Stamp> seen_before{}, seen_after{};  // where to look
  std::optional<Fault> fault{};                      // of a finding; as after, else as before
  const rules::Rule* rule = nullptr;                 // of a rule
  uint64_t undecided_before = 0, undecided_after = 0;
};

}  // namespace steertag::diff
