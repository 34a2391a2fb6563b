// Captures made by hand for the tests of diff/: what a run would have gathered, without one. Each test
// changes what it is about.
// Times are in nanoseconds, of RPCs that follow each other a millisecond apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diff/compare.h"
#include "rules/catalog.h"
#include "stats/made.h"

namespace steertag::diff {

using stats::kMs;
using stats::MadeRpc;

// The number of a rule in the catalog.
inline size_t rule_number(std::string_view id) {
  const auto catalog = rules::catalog();
  size_t number = 0;
  while (catalog[number]->id != id) {
    ++number;
  }
  return number;
}

inline Fault made_fault(std::string_view rule, uint64_t count, uint64_t fingerprint = 1) {
  const rules::Rule* const found = rules::catalog()[rule_number(rule)];
  return {.fingerprint = fingerprint,
          .rule = found,
          .severity = found->severity,
          .certainty = rules::Certainty::definite,
          .blame = rules::Blame::responder,
          .version = 1,
          .op = "READ",
          .shape = "Reply returns N bytes",
          .count = count,
          .at = {.number = 10 * fingerprint}};
}

inline flow::SegmentFlow made_segment(flow::ChunkKind kind, uint32_t length, uint32_t position = 0) {
  flow::SegmentFlow segment;
  segment.kind = kind;
  segment.position = position;
  segment.target.length = length;
  if (kind == flow::ChunkKind::write || kind == flow::ChunkKind::reply) {
    segment.returned = length;
  }
  return segment;
}

struct MadeCapture {
  track::Connection connection = stats::made_connection();
  Profile profile;
  Faults faults;
  std::vector<rules::Tally> tallies = std::vector<rules::Tally>(rules::catalog().size());
  uint64_t frame = 1;

  MadeRpc next(std::string_view op = "READ") {
    frame += 2;
    MadeRpc rpc(connection, frame, static_cast<int64_t>(frame) * kMs, op);
    rpc.exchange.call_legible = rpc.exchange.reply_legible = true;
    return rpc;
  }
  MadeCapture& add(const MadeRpc& rpc) {
    profile.add(stats::Rpc(rpc));
    profile.add(rpc.exchange);
    return *this;
  }
  // So many, which took so long; the last is `spread` slower than the first.
  MadeCapture& add(size_t count, int64_t took_ns, std::string_view op = "READ", int64_t spread_ns = 0) {
    for (size_t i = 0; i < count; ++i) {
      add(next(op).took(took_ns + spread_ns * static_cast<int64_t>(i) / static_cast<int64_t>(count)));
    }
    return *this;
  }
  MadeCapture& add(size_t count, const flow::SegmentFlow& segment, std::string_view op = "READ") {
    for (size_t i = 0; i < count; ++i) {
      MadeRpc rpc = next(op);
      rpc.exchange.segments.push_back(segment);
      add(rpc);
    }
    return *this;
  }
  MadeCapture& add(const Fault& fault) {
    faults.emplace(fault.fingerprint, fault);
    return *this;
  }
  Gathered view() const { return {profile, faults, tallies}; }
};

// "chunks READ Write chunks RPCs: 40 of 40 -> 0 of 40!", a line each; "!": a regression.
inline std::string lines(const Comparison& comparison) {
  std::string text;
  for (const Difference& one : comparison.differences) {
    const auto amount = [](const Amount& one_side) {
      return one_side.of == 0 ? std::to_string(one_side.value)
                              : fmt::format("{} of {}", one_side.value, one_side.of);
    };
    text += fmt::format("{}{} {}{}: {} -> {}{}\n", kind_names[static_cast<size_t>(one.kind)],
                        one.operation ? " " + one.operation->op : "", one.what,
                        one.measure.empty() ? "" : " " + one.measure, amount(one.before), amount(one.after),
                        one.regression ? "!" : "");
  }
  return text;
}

inline std::string compared(const MadeCapture& before, const MadeCapture& after,
                            const Thresholds& thresholds = {}) {
  return lines(compare(before.view(), after.view(), thresholds));
}

// Both ways round.
struct Both {
  std::string there, back;
};
inline Both both(const MadeCapture& before, const MadeCapture& after, const Thresholds& thresholds = {}) {
  return {compared(before, after, thresholds), compared(after, before, thresholds)};
}

}  // namespace steertag::diff
