// The members of {"type":"rule"}: a rule as `steertag rules` explains it; and of {"type":"tally"}: how often
// one was put to the test. Each is said once for all that print them or describe them (member.h). The page of
// a rule is only there where somebody asked for that rule.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/names.h"
#include "report/record/finding.h"
#include "report/record/member.h"
#include "report/score.h"
#include "rules/catalog.h"
#include "rules/tally.h"

namespace steertag::report::record {

struct Rule {
  static constexpr std::string_view kType = "rule";
  static constexpr std::string_view kSays = "A rule (from rules, which prints neither stream nor summary).";

  const rules::Rule& rule;
  bool whole = false;  // with its page

  // Rule::also, each by itself.
  std::vector<std::string_view> also() const {
    std::vector<std::string_view> all;
    for (size_t at = 0; !rule.also.empty() && at <= rule.also.size();) {
      const size_t end = std::min(rule.also.find(',', at), rule.also.size());
      all.push_back(rule.also.substr(at, end - at));
      at = end + 1;
    }
    return all;
  }
};

void tell(auto& to, const Rule& told) {
  const rules::Rule& rule = told.rule;
  const rules::Page page = rules::page(rule);
  to.text({"rule", "rule_id"}, rule.id);
  to.text({"name", kSomeText, "What it finds, in a few words."}, rule.name);
  to.choice({"severity", "severity"}, rule.severity);
  tell_source(to, rule.source);
  to.texts_if({"also", R"("type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1)",
               "Further documents that require it."},
              told.also());
  to.text({"requirement", kSomeText, "What is required."}, page.requirement);
  to.text({"why", kSomeText, "Why it matters."}, page.why);
  to.text_if({"page", kSomeText,
              "Its page, in Markdown, with traffic that breaks and that keeps it; where the rule was asked "
              "for by its id."},
             told.whole ? page.rest : std::string_view());
}

struct Tally {
  static constexpr std::string_view kType = "tally";
  static constexpr std::string_view kSays = "How often a rule was put to the test (from audit --tally).";

  const rules::Rule& rule;
  const rules::Tally& tally;
};

void tell(auto& to, const Tally& told) {
  to.text({"rule", "rule_id"}, told.rule.id);
  to.number({"checked", "count", "How many times it applied; 0 proves nothing."}, told.tally.checked());
  to.number({"kept", "count", "How many of these times it was kept."}, told.tally.kept);
  to.number({"broken", "count", "How many times it was broken."}, told.tally.broken);
  to.number({"undecided", "count", "How many times the capture does not show which."}, told.tally.undecided);
}

// The members of {"type":"score"}: how many requirements of one document, family, role and level some traffic
// exercised. Each is said once for all that print them or describe them (member.h). Those that no traffic can
// show have no family.
struct Score {
  static constexpr std::string_view kType = "score";
  static constexpr std::string_view kSays =
      "How many requirements of a document this traffic exercised, kept, broke (from audit --scorecard).";

  std::string_view document, family;
  rules::Addressee role = rules::Addressee::both;
  rules::Level level = rules::Level::must;
  Figures figures;
};

void tell(auto& to, const Score& told) {
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
