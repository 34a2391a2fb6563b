// The members of {"type":"difference"}: one thing in which two captures differ by more than noise. Each is
// said once for all that print them or describe them (member.h). Which of them there are depends on what kind
// of thing it is.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "diff/difference.h"
#include "report/names.h"
#include "report/record/member.h"
#include "report/stats.h"
#include "stats/operation.h"

namespace steertag::report::record {

struct Difference {
  static constexpr std::string_view kType = "difference";
  static constexpr std::string_view kSays =
      "One thing in which two captures differ by more than noise (from diff).";

  const diff::Difference& difference;
  const Files &before, &after;  // of the two
};

void tell_fault(auto& to, const diff::Fault& fault, std::string_view rule) {
  to.text({"rule", "rule_id"}, rule);
  to.choice({"severity", "severity"}, fault.severity);
  to.choice(
      {"certainty", "",
       "Of the surest finding; as everything about a finding, after, or before where there is none after."},
      fault.certainty);
  to.choice({"blame", "", "Whose doing it is."}, fault.blame);
  to.some({"version", "count", "Of RPC-over-RDMA."}, fault.version);
  to.text_if({"op", "op"}, fault.op);
  to.text({"fingerprint", R"("type": "string", "pattern": "^[0-9a-f]{16}$")",
           "Of the findings. What is found of a connection as a whole has that of the first."},
          fmt::format("{:016x}", fault.fingerprint));
}

void tell_about(auto& to, const diff::Difference& of) {
  const bool operation = of.operation && of.operation->known();
  to.text_if({"op", "op"}, operation ? std::string_view(of.operation->op) : std::string_view());
  to.text_if({"protocol", "protocol"}, operation ? stats::protocol(*of.operation) : std::string());
  to.needs("protocol", {"op"});
  to.part(of.fault.has_value(), [&] {
    const diff::Fault fault = of.fault.value_or(diff::Fault());
    tell_fault(to, fault, fault.rule != nullptr ? fault.rule->id : std::string_view());
  });
  to.part(of.rule != nullptr, [&] {
    to.text({"rule", "rule_id"}, of.rule != nullptr ? of.rule->id : std::string_view());
    to.number(
        {"undecided_before", "count", "rule: how many times that capture did not show whether it was kept."},
        of.undecided_before);
    to.number({"undecided_after", "count", "The same of the other one."}, of.undecided_after);
  });
  to.text_if({"measure", R"("enum": ["RPCs", "segments", "advertised", "moved"])",
              "chunks: RPCs that have some, their segments, bytes that these advertised and that RDMA moved, "
              "on the average of such RPCs."},
             of.measure);
  to.needs("fingerprint", {"rule", "severity", "certainty", "blame"});
  for (const std::string_view member : {"severity", "certainty", "blame", "version"}) {
    to.needs(member, {"fingerprint"});
  }
  to.needs("undecided_before", {"rule", "undecided_after"});
  to.needs("undecided_after", {"undecided_before"});
}

void tell(auto& to, const Difference& told) {
  const diff::Difference& of = told.difference;
  const auto value = [&](const diff::Amount& amount) {
    return of.unit == diff::Unit::ns ? whole_us(static_cast<int64_t>(amount.value)) : amount.value;
  };
  to.choice(
      {"kind", "",
       "What the values are of. finding: violations; rule: verdicts, where one side has none; operation: "
       "RPCs; failure: RPCs that failed in one way; retries: Calls sent again; latency: until the Reply was "
       "delivered; size: of RPC messages, on the average; calls, replies: messages that went inline, "
       "reduced, long; chunks: their number and size; invalidation: Replies that invalidate remotely, of "
       "those to Calls with chunks; credits: the most; network: what was sent again, or refused; "
       "connections: their number, all in all, and of a transport or version that one side has not."},
      of.kind);
  to.text({"what", kSomeText,
           "Of what exactly. finding: the sentence without its values; rule: its id; operation: its name; "
           "failure: what was answered; latency: p50, p99; size: arguments, results; calls, replies: inline, "
           "reduced, long; chunks: of which list; credits: granted, requested."},
          of.what);
  tell_about(to, of);
  to.choice({"unit", "", "Of the values."}, of.unit);
  to.number({"before", "count", "The value of the first capture."}, value(of.before));
  to.some({"before_of", "some", "Of how many: RPCs of the operation, its messages, all RPCs."}, of.before.of);
  to.number({"after", "count", "The value of the second."}, value(of.after));
  to.some({"after_of", "some", "Of how many."}, of.after.of);
  to.boolean({"regression", "", "Whether it got worse, as --fail-on regression understands it."},
             of.regression);
  to.number({"chance_ppm", "count",
             "latency: of a million pairs of runs that are alike, how many differ so much by chance; p50 by "
             "the ranks of all times, p99 by how many RPCs took so many times longer."},
            of.chance ? std::optional(static_cast<uint64_t>(*of.chance * 1e6)) : std::nullopt);
  to.frame(
      {.name = "before_frame",
       .file_name = "before_file",
       .says = "Where to look: the first finding, the first RPC that failed so, the Call of the longest RPC.",
       .file_always = true},
      of.seen_before, told.before);
  to.frame({.name = "after_frame",
            .file_name = "after_file",
            .says = "The same in the second capture.",
            .file_always = true},
           of.seen_after, told.after);
}

}  // namespace steertag::report::record
