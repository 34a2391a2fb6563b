// The members of {"type":"score"}: how many requirements of one document, family, role and level some traffic
// exercised. Each is said once for all that print them or describe them (member.h). Those that no traffic can
// show have no family.
#pragma once

#include <string_view>

#include "report/record/member.h"
#include "report/score.h"

namespace steertag::report::record {

struct Score {
  static constexpr std::string_view kType = "score";
  static constexpr std::string_view kSays =
      "How many requirements of a document this traffic exercised, kept, broke (from audit --scorecard).";

  std::string_view document, family;
  rules::Addressee role = rules::Addressee::both;
  rules::Level level = rules::Level::must;
  Figures figures;
};

template <typename To>
void tell(To& to, const Score& told) {
  to.text({"document", kSomeText, "RFC 8166, version-two-02 ..."}, told.document);
  to.text_if({"family", R"("type": "string", "pattern": "^[A-Z]{3}$")",
              "Of the rules that check them; absent of those that no traffic can show."},
             told.family);
  to.text({"role", R"("enum": ["requester", "responder", "both"])", "Whom they address."}, name(told.role));
  to.text({"level", R"("enum": ["MUST", "SHOULD"])", "How binding they are."},
          told.level == rules::Level::must ? "MUST" : "SHOULD");
  to.number({"requirements", "some", "How many there are."}, told.figures.requirements);
  to.number({"exercised", "count",
             "How many this traffic gave an occasion to keep or break: the sum of the other three."},
            told.figures.exercised);
  to.number({"kept", "count", "How many of them were kept."}, told.figures.kept);
  to.number({"broken", "count", "How many were broken."}, told.figures.broken);
  to.number({"not_shown", "count", "Of how many the capture hides which."}, told.figures.not_shown);
}

}  // namespace steertag::report::record
