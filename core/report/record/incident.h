// The members of {"type":"incident"}: one thing that happened to the RPCs of a capture, each said once for
// all that print them or describe them (member.h). The sentence is for people, and made elsewhere
// (report/incident.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "incident/incident.h"
#include "report/names.h"
#include "report/record/member.h"
#include "report/stats.h"

namespace steertag::report::record {

struct Incident {
  static constexpr std::string_view kType = "incident";
  static constexpr std::string_view kSays =
      "One thing that happened, told once (from summary, report, stats, and audit with --incidents): the "
      "gravest first, of several that are as grave the one that cost the most.";

  const incident::Incident& incident;
  const std::string& text;
};

template <typename To>
void tell(To& to, const Incident& told) {
  const incident::Incident& of = told.incident;
  to.choice({"kind", "", "What happened."}, of.kind);
  to.seconds({"begin", "time", "When it began."}, of.begin_ns);
  to.seconds({"end", "time", "Absent: it lasts when the capture ends."}, of.end_ns);
  to.numbers({"conns", R"("type": "array", "items": {"$ref": "#/$defs/conn"})",
              "The first 16 connections that it hit."},
             of.connections);
  to.number({"rpcs", "count", "How many RPCs it hit; of a violation, how often it was found."}, of.rpcs);
  to.duration({"cost_us", "us", "Time of RPCs that it took, all of them together."}, of.cost_ns);
  to.text_if({"by", "address", "Who is to blame, where that is known."}, of.by.text());
  to.choice({"side", "", "Where to look for the cause."}, of.where);
  to.choice({"certainty", "", "possible: frames missing from the capture could explain it."}, of.certainty);
  to.prose({"text", "prose", "What happened, in a sentence."}, told.text);
  to.frames({.name = "frames", .files_name = "files", .says = "Where to look: the best frame first."},
            of.frames, of.frames.empty() ? 0 : of.frames.front().file);
  to.texts_if({"rules", R"("type": "array", "items": {"$ref": "#/$defs/rule_id"}, "minItems": 1)",
               "The rules whose findings are part of it."},
              of.rules);
}

}  // namespace steertag::report::record
