// The members of {"type":"report"}: of what a report is, and how much of it the report holds. Each is said
// once for all that print them or describe them (member.h). The summary behind it counts what there was,
// whether it is shown or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "report/record/member.h"

namespace steertag::report::record {

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
  Part rpcs, findings, connections;
  int64_t disturbances_ns = 0;  // length of an interval
  std::string_view config;      // empty: there was none
};

template <typename To>
void tell(To& to, const Extent& told) {
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
  to.duration({"disturbances_us", "some",
               "How long the intervals of the records \\\"disturbances\\\" are, in microseconds."},
              told.disturbances_ns);
  to.text_if({"config", kSomeText, "The configuration that was in force."}, told.config);
}

}  // namespace steertag::report::record
