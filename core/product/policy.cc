#include "product/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/counted.h"
#include "rules/catalog.h"

namespace steertag::product {
namespace {

bool named(const rules::Rule& rule, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return rules::meant(rule, word); });
}

// What is said of the rule itself, else of its family; null: nothing.
const std::optional<rules::Severity>* said_of(const rules::Rule& rule, const Severities& severities) {
  for (const std::string_view word : {rule.id, rules::family(rule)}) {
    if (const auto found = severities.find(word); found != severities.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

// Each rule once, by however many of the words it is meant; those of one word together.
void each_never_judged(const std::vector<std::string>& words, std::span<const rules::Tally> tallies,
                       const auto& what) {
  std::set<std::string_view> seen;
  std::vector<bool> told(tallies.size());
  for (const std::string& word : words) {
    if (!seen.insert(word).second) {
      continue;
    }
    for (size_t i = 0; i < tallies.size(); ++i) {
      const rules::Rule& rule = *rules::catalog()[i];
      if (!told[i] && tallies[i].kept + tallies[i].broken == 0 && rules::meant(rule, word)) {
        told[i] = true;
        what(rule, tallies[i]);
      }
    }
  }
}

}  // namespace

rules::Settings Policy::settings(const Settings& of_run) const {
  rules::Settings settings;
  settings.profile = profile == "strict"    ? rules::Profile::strict
                     : profile == "rfc5666" ? rules::Profile::rfc5666
                                            : rules::Profile::deployed;
  settings.answer_within_ns = static_cast<int64_t>(answer_within * 1e9);
  settings.wants = [this](const rules::Rule& rule) { return wants(rule); };
  if (of_run.skew_ms) {
    settings.skewed = *of_run.skew_ms > 0;
  }
  return settings;
}

bool Policy::wants(const rules::Rule& rule) const {
  const std::optional<rules::Severity>* const said = said_of(rule, severities);
  const bool off = said != nullptr && !*said;
  return (select.empty() || named(rule, select)) && !named(rule, ignore) && !off;
}

bool Policy::wants_any(std::string_view word) const {
  return std::any_of(rules::catalog().begin(), rules::catalog().end(),
                     [&](const rules::Rule* rule) { return rules::meant(*rule, word) && wants(*rule); });
}

rules::Severity Policy::severity(const rules::Rule& rule, rules::Severity own) const {
  const std::optional<rules::Severity>* const said = said_of(rule, severities);
  return said != nullptr && *said ? **said : own;
}

bool Policy::requires_verdict(const rules::Rule& rule) const {
  return named(rule, require);
}

bool Policy::fails(rules::Severity severity, rules::Certainty certainty) const {
  if (certainty == rules::Certainty::possible && !strict) {
    return false;
  }
  switch (severity) {
    case rules::Severity::error:
      return fail_on != "never";
    case rules::Severity::warning:
      return fail_on == "warning" || fail_on == "note";
    case rules::Severity::note:
      return fail_on == "note";
  }
  return false;
}

std::vector<std::string> never_judged(const std::vector<std::string>& words,
                                      std::span<const rules::Tally> tallies) {
  std::vector<std::string> ids;
  each_never_judged(words, tallies,
                    [&](const rules::Rule& rule, const rules::Tally&) { ids.emplace_back(rule.id); });
  return ids;
}

std::vector<std::string> unjudged(const std::vector<std::string>& words,
                                  std::span<const rules::Tally> tallies) {
  std::vector<std::string> lines;
  each_never_judged(words, tallies, [&](const rules::Rule& rule, const rules::Tally& tally) {
    lines.push_back(fmt::format("{}: required, but never judged ({} undecided)", rule.id,
                                base::counted(tally.undecided, "time")));
  });
  return lines;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

std::vector<std::string> split(const std::string& words) {
  std::vector<std::string> all;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(',', at), words.size());
    all.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

}  // namespace steertag::product
