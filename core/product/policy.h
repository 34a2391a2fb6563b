// Policy: which rules are asked, how strictly, as what their findings count, what of it is known, and which
// findings fail an audit. Every product that has rules behind it takes one. Who fills it in has checked that
// the rules exist.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "product/settings.h"
#include "report/known.h"
#include "rules/engine.h"
#include "rules/rule.h"
#include "rules/tally.h"

namespace steertag::product {

// As what a rule ("CRD-04"), or a family ("CRD"), is reported; unset: not at all, it is off.
using Severities = std::map<std::string, std::optional<rules::Severity>, std::less<>>;

struct Policy {
  std::vector<std::string> select, ignore, require;  // ids or families
  std::string profile = "deployed";                  // deployed, strict, rfc5666
  std::string fail_on = "error";                     // error, warning, note, never
  double answer_within = 10;                         // seconds: XID-05
  bool strict = false;                               // what is only possible counts, too
  bool strict_baseline = false;                      // what is known and found no more fails
  std::string config;                                // the file that it is from; empty: none
  Severities severities;
  // Findings point to it: copies of this share it.
  std::shared_ptr<report::KnownList> known = std::make_shared<report::KnownList>();

  rules::Settings settings(const Settings& of_run) const;  // which refer to this
  bool wants(const rules::Rule& rule) const;
  bool requires_verdict(const rules::Rule& rule) const;
  bool wants_any(std::string_view word) const;  // of the rules that are meant by it
  // As what a finding by this rule is reported: of its own severity, unless `severities` has another for it.
  rules::Severity severity(const rules::Rule& rule, rules::Severity own) const;
  // Calls what(finding), with the severity that it has by that; it is copied only where that is another.
  void weighed(const rules::Finding& finding, const auto& what) const {
    const rules::Severity own = severity(*finding.rule, finding.severity);
    if (own == finding.severity) {
      return what(finding);
    }
    rules::Finding other = finding;
    other.severity = own;
    what(other);
  }
  // Whether a finding turns the exit status into 1.
  bool fails(rules::Severity severity, rules::Certainty certainty) const;
};

// Ids of the rules meant by these words that were never judged, in the order of the words.
std::vector<std::string> never_judged(const std::vector<std::string>& words,
                                      std::span<const rules::Tally> tallies);
// The same as lines for people. `tallies` are in the order of the catalog.
std::vector<std::string> unjudged(const std::vector<std::string>& words,
                                  std::span<const rules::Tally> tallies);

// Words with commas between, and back.
std::string joined(const std::vector<std::string>& words);
std::vector<std::string> split(const std::string& words);

}  // namespace steertag::product
