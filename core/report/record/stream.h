// The members of {"type":"stream"}, the first line of every command that reads captures; and of what a share
// of a run has beside its records, "promise" and "share" (report/share.h); each said once for all that print
// or describe them (member.h). Which share a line is of, and where it belongs among all, stands behind its
// members, as "share", and is the business of whoever prints it.
#pragma once

#include <cstdint>
#include <span>
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

template <typename To>
void tell(To& to, const Stream& told) {
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

template <typename To>
void tell(To& to, const Promise& told) {
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

template <typename To>
void tell(To& to, const Share& told) {
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

}  // namespace steertag::report::record
