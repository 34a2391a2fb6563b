// The members of {"type":"finding"}: one requirement that was broken, where, by which end, by which clause;
// each said once for all that print them or describe them (member.h). What accepts a finding, and how much a
// report shows of it, is not in the Finding itself and stands beside it.
#pragma once

#include <fmt/core.h>

#include <string_view>

#include "report/known.h"
#include "report/names.h"
#include "report/record/member.h"
#include "rules/fingerprint.h"

namespace steertag::report::record {

struct Finding {
  static constexpr std::string_view kType = "finding";
  static constexpr std::string_view kSays = "A requirement that was broken (from audit).";

  const rules::Finding& finding;
  const Known* known = nullptr;  // what accepts it; null: nothing
  // For a report also when each related frame was captured, and its Excerpt; or the times alone.
  FindingDetail detail = FindingDetail::plain;
};

void tell_source(auto& to, const rules::Source& source) {
  to.object({"source", "source"}, [&] {
    to.text({"document", kSomeText}, source.document);
    to.text({"section", kSomeText}, source.section);
  });
}

void tell_excerpt(auto& to, const rules::Excerpt& excerpt, bool reported) {
  to.object_if(
      {"excerpt", "",
       "From report, of the first findings of a rule on a connection: what it is about, as text of whole "
       "lines.",
       kNotTraced},
      reported && !excerpt.header.empty(), [&] {
        to.prose({"header", kSomeText,
                  "The header of the message at fault, field by field, or the RDMA operation."},
                 excerpt.header);
        to.prose({"context", kSomeText, "The same, and the messages and RDMA operations that belong to it."},
                 excerpt.context);
      });
}

void tell(auto& to, const Finding& told) {
  const rules::Finding& finding = told.finding;
  to.text({"rule", "rule_id"}, finding.rule->id);
  to.choice({"severity", "severity"}, finding.severity);
  to.choice({"certainty", "", "possible: frames missing from the capture could explain it."},
            finding.certainty);
  to.frame({.name = "frame", .file_name = "file", .says = "Where it was broken.", .file_always = true},
           finding.at);
  to.seconds({"time", "time", "Of frame.", kNotTraced}, finding.at.time_ns);
  to.part(finding.connection->number != 0, [&] {  // otherwise it did not come up
    to.connection({"conn", "conn"}, finding.connection->number);
  });
  to.hex({"xid", "xid"}, finding.xid, 8);
  to.prose({"message", "prose"}, finding.text);
  to.some({"count", "some", "How many violations it stands for, the first of which it shows."},
          finding.rule->habit || finding.count > 1 ? finding.count : 0);
  to.choice({"blame", "", "The role of who broke it."}, finding.blame);
  to.text_if({"by", "address", "The end that broke it."}, blamed(finding));
  to.text_if({"op", "op"}, finding.op);
  to.text({"fingerprint", "fingerprint", {}, kNotTraced},
          fmt::format("{:016x}", rules::fingerprint(finding)));
  to.truth({"known", "",
            "A baseline or the configuration accepts it, unless there are too many: then exceeded says so.",
            kNotTraced},
           told.known != nullptr);
  to.text_if({"known_reason", kSomeText, "Why it does.", kNotTraced},
             told.known != nullptr ? std::string_view(told.known->reason) : std::string_view());
  to.needs("known_reason", {"known"});
  const auto place = [&](uint32_t Range::*what) {
    return finding.where ? std::optional((*finding.where).*what) : std::nullopt;
  };
  to.number({"offset", "word", "Of the place at fault, in bytes from the start of the message.", kNotTraced},
            place(&Range::offset));
  to.number({"length", "word", "Of the place at fault, in bytes.", kNotTraced}, place(&Range::length));
  to.needs("offset", {"length"});
  to.needs("length", {"offset"});
  tell_source(to, finding.source);
  to.frames({"related", "related_files", "Earlier frames that it rests on.",
             "The file of each of related, where they are not all that of frame.", kNotTraced},
            finding.related, finding.at.file);
  to.variant(told.detail != FindingDetail::plain, [&] {
    to.moments({"related_times", R"("type": "array", "items": {"$ref": "#/$defs/time"}, "minItems": 1)",
                "From report: the time of each of related."},
               finding.related);
  });
  tell_excerpt(to, finding.excerpt, told.detail == FindingDetail::report);
}

// The members of {"type":"exceeded"} and {"type":"stale"}: behaviour that was accepted (report/known.h), of
// which there was more than that, or no more. Each is said once for all that print them or describe them
// (member.h).
void tell_known(auto& to, const Known& known) {
  to.text({"rule", "rule_id"}, known.rule);
  to.text({"fingerprint", "fingerprint"}, fmt::format("{:016x}", known.fingerprint));
  to.text_if({"shape", "shape"}, known.shape);
  to.number({"at_most", "some", "How many are accepted."}, known.at_most.value_or(0));
  to.text({"reason", kSomeText, "Why they are."}, known.reason);
  to.text({"baseline", kSomeText, "The file that says so."}, known.file);
  to.number({"line", "some", "Of that file."}, known.line);
}

struct Exceeded {
  static constexpr std::string_view kType = "exceeded";
  static constexpr std::string_view kSays =
      "Behaviour that is known, of which more was found than is accepted: its findings count (from audit, "
      "with what is known).";

  const Known& known;
  uint64_t found = 0;
};

void tell(auto& to, const Exceeded& told) {
  tell_known(to, told.known);
  to.number({"found", "some", "How many were found."}, told.found);
}

struct Stale {
  static constexpr std::string_view kType = "stale";
  static constexpr std::string_view kSays =
      "Behaviour that is known, and was found no more (from audit, with what is known).";

  const Known& known;
};

void tell(auto& to, const Stale& told) {
  tell_known(to, told.known);
}

}  // namespace steertag::report::record
