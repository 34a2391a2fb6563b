// The members of {"type":"stream"}, the first line of every command that reads captures; and of what a share
// of a run has beside its records, "promise" and "share" (report/share.h); each said once for all that print
// or describe them (member.h). Which share a line is of, and where it belongs among all, stands behind its
// members, as "share", and is the business of whoever prints it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "report/policy_file.h"
#include "report/record/member.h"

namespace steertag::report::record {

struct Stream {
  static constexpr std::string_view kType = "stream";
  static constexpr std::string_view kSays =
      "The first line of every command that reads captures, and of merge.";

  std::string_view version;
  std::span<const PolicyFile> policies = {};  // what the run was configured by
};

void tell(auto& to, const Stream& told) {
  to.number({"format", R"("const": 1)",
             "Which edition of these records follows; another number would mean another schema."},
            uint64_t{1});
  to.text({"tool", R"("const": "steertag")"}, "steertag");
  to.text({"version", kSomeText, "Of the command that wrote the lines."}, told.version);
  to.list_if({"configured_by", R"("minItems": 1)",
              "The files that had a part in the verdict beside the captures (audit, report), in the order in "
              "which they were read."},
             !told.policies.empty(), told.policies, kEvery, [&](const PolicyFile& policy) {
               to.text({"file", kSomeText, "Its path."}, policy.file);
               to.choice({"kind", "", "What it is; a profile comes with steertag."}, policy.kind);
               to.text({"sha256", R"("type": "string", "pattern": "^[0-9a-f]{64}$")",
                        "The SHA-256 of its bytes, as they were read."},
                       policy.sha256);
             });
}

struct Promise {
  static constexpr std::string_view kType = "promise";
  static constexpr std::string_view kSays =
      "With --shard: what the numbering of all connections has to know of one of this share; merge uses it "
      "up.";

  uint64_t what = 0, conn = 0, order = 0;
};

void tell(auto& to, const Promise& told) {
  to.number({"what", R"("type": "integer", "minimum": 0, "maximum": 2)", "What became of the connection."},
            told.what);
  to.number({"conn", "conn"}, told.conn);
  to.number({"order", "count", "Of its first frame, among all frames."}, told.order);
  to.needs("what", {"share"});
}

struct Share {
  static constexpr std::string_view kType = "share";
  static constexpr std::string_view kSays =
      "With --shard: the last line, instead of summary; merge adds those of all shares up.";

  std::span<const uint64_t> counted = {}, of_frames = {}, tallies = {}, seen = {};
  std::string_view required, cut;
};

void tell(auto& to, const Share& told) {
  to.numbers(
      {"counted", R"("type": "array", "items": {"$ref": "#/$defs/count"}, "minItems": 15, "maxItems": 15)",
       "files, frames, messages, rpcs, connections, lost, dropped, memory_evicted, errors, warnings, "
       "notes, exit status; whether a capture is damaged, rules were asked, tallies are wanted."},
      told.counted);
  to.numbers(
      {"of_frames", R"("type": "array", "items": {"$ref": "#/$defs/count"}, "minItems": 10, "maxItems": 10)",
       "What was counted in all frames, for seen in the summary."},
      told.of_frames);
  to.numbers({"tallies", "counts", "So many numbers for each rule."}, told.tallies);
  to.numbers({"seen", "counts", "Five numbers for each transport and port."}, told.seen);
  to.text({"required", R"("type": "string")", "The rules of --require."}, told.required);
  to.text({"cut", R"("enum": ["", "truncated", "interrupted"])", "As in the summary."}, told.cut);
}

// The members of {"type":"report"}: of what a report is, and how much of it the report holds. Each is said
// once for all that print them or describe them (member.h). The summary behind it counts what there was,
// whether it is shown or not.
struct Extent {
  static constexpr std::string_view kType = "report";
  static constexpr std::string_view kSays =
      "Of what a report is, and how much of it it holds; the summary counts all of it.";

  // How many there were, and how many the report has.
  struct Part {
    uint64_t all = 0;
    size_t shown = 0;
  };

  int64_t begin_ns = 0, end_ns = 0;
  std::span<const std::string> files;
  Part rpcs, findings, connections, losses;
  int64_t disturbances_ns = 0;  // length of an interval
  std::string_view config;      // empty: there was none
};

void tell(auto& to, const Extent& told) {
  to.seconds({"begin", "time", "Of the first frame."}, told.begin_ns);
  to.seconds({"end", "time", "Of the last frame that counts for something shown."}, told.end_ns);
  to.texts({"files", R"("type": "array", "items": {"$ref": "#/$defs/name_of_file"}, "minItems": 1)",
            "The captures."},
           told.files);
  to.number({"rpcs", "count", "RPCs that there were."}, told.rpcs.all);
  to.number({"rpcs_shown", "count",
             "Records of them: where these are fewer, an even sample, the slowest, and those that failed or "
             "have findings."},
            told.rpcs.shown);
  to.number({"findings", "count", "Findings that there were, the known ones included."}, told.findings.all);
  to.number({"findings_shown", "count", "Records of them, the worst."}, told.findings.shown);
  to.number({"connections", "count", "Connections that carry RPC-over-RDMA."}, told.connections.all);
  to.number({"connections_shown", "count", "Records of them, the first."}, told.connections.shown);
  to.number({"losses", "count", "Losses that there were, runs of packets each."}, told.losses.all);
  to.number({"losses_shown", "count", "Records of them, those that took the longest."}, told.losses.shown);
  to.duration({"disturbances_us", "some",
               "How long the intervals of the records \\\"disturbances\\\" are, in microseconds."},
              told.disturbances_ns);
  to.text_if({"config", kSomeText, "The configuration that was in force."}, told.config);
}

}  // namespace steertag::report::record
