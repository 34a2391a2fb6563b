// The members of {"type":"note"}: what stands out in the statistics, what it is about, where to look, and the
// sentence for people; each said once for all that print or describe them (member.h). The sentence is made
// before: it needs a topic, which a note that is only described has not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frame.h"
#include "report/record/member.h"
#include "report/record/stat.h"
#include "report/stats.h"
#include "stats/judge.h"

namespace steertag::report::record {

struct Note {
  static constexpr std::string_view kType = "note";
  static constexpr std::string_view kSays =
      "Something that stands out in the statistics (from stats), the dearest first.";

  const stats::Remark& remark;
  std::string message;  // in words (text_stats.h)
};

template <typename To>
void tell_dear(To& to, const stats::Remark::Dear& dear, stats::Standout kind) {
  const uint64_t us = whole_us(dear.evidence.weight);
  const bool lost = kind == stats::Standout::loss;
  to.frame({"frame", "file", "Of its Call."}, dear.evidence.at);
  to.number({"recovery_us", "us", "For how long it waited for lost packets."},
            lost ? std::optional(us) : std::nullopt);
  to.number({"delivered_us", "us", "How long it took in all."}, lost ? std::nullopt : std::optional(us));
}

template <typename To>
void tell(To& to, const Note& told) {
  static const stats::Operation kNone;
  const stats::Remark& remark = told.remark;
  to.choice({"kind", "", "What it is about."}, remark.kind);
  const track::ConnectionNumber number =
      remark.load != nullptr ? remark.load->number : track::ConnectionNumber();
  to.part(number != 0, [&] { to.connection({"conn", "conn"}, number); });
  const stats::Operation& operation = remark.topic != nullptr ? remark.topic->operation : kNone;
  to.part(operation.known(), [&] { tell_operation(to, operation); });
  to.frame({"frame", "file", "Where to look."},
           remark.evidence.any() ? std::optional(remark.evidence.at) : std::nullopt);
  to.list_if(
      {"dearest", R"("minItems": 1)",
       "The RPCs that it cost most, the dearest first: the frame of the Call, and what it cost."},
      !remark.dearest.empty(), remark.dearest, [](const stats::Remark::Dear&) { return true; },
      [&](const stats::Remark::Dear& dear) { tell_dear(to, dear, remark.kind); });
  to.text({"message", "prose"}, told.message);
}

}  // namespace steertag::report::record
