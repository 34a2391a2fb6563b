// The members of {"type":"exceeded"} and {"type":"stale"}: behaviour that was accepted (report/known.h), of
// which there was more than that, or no more. Each is said once for all that print them or describe them
// (member.h).
#pragma once

#include <fmt/core.h>

#include <string_view>

#include "report/known.h"
#include "report/record/member.h"

namespace steertag::report::record {

template <typename To>
void tell_known(To& to, const Known& known) {
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

template <typename To>
void tell(To& to, const Exceeded& told) {
  tell_known(to, told.known);
  to.number({"found", "some", "How many were found."}, told.found);
}

struct Stale {
  static constexpr std::string_view kType = "stale";
  static constexpr std::string_view kSays =
      "Behaviour that is known, and was found no more (from audit, with what is known).";

  const Known& known;
};

template <typename To>
void tell(To& to, const Stale& told) {
  tell_known(to, told.known);
}

}  // namespace steertag::report::record
