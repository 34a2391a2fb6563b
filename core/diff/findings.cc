#include "diff/findings.h"

#include <absl/container/btree_map.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include "diff/noise.h"

namespace steertag::diff {

namespace {

// What makes a fault the same one in another capture: its fingerprint. What a rule says once of a whole
// connection is about whatever came first, or whichever end was first; there, it is who broke it (0).
using Identity = std::tuple<std::string_view, rules::Blame, uint32_t, uint64_t>;

bool of_whole_connection(const rules::Rule& rule) {
  return rule.habit || (rule.ending != nullptr && rule.severity == rules::Severity::note);
}

Identity identity(const Fault& fault) {
  const bool whole = of_whole_connection(*fault.rule);
  return {fault.rule->id, fault.blame, fault.version, whole ? 0 : fault.fingerprint};
}

void add(Fault& sum, const Fault& other) {
  const auto place = [](const Stamp& at) { return std::tuple(at.time_ns, at.file, at.number); };
  const uint64_t count = sum.count + other.count;
  const rules::Severity severity = std::max(sum.severity, other.severity);
  const rules::Certainty certainty = std::max(sum.certainty, other.certainty);
  if (place(other.at) < place(sum.at)) {
    sum = other;
  }
  sum.count = count;
  sum.severity = severity;
  sum.certainty = certainty;
}

using Identified = absl::btree_map<Identity, Fault>;

Identified identified(const Faults& faults) {
  Identified made;
  for (const auto& [fingerprint, fault] : faults) {
    const auto [place, is_new] = made.try_emplace(identity(fault), fault);
    if (!is_new) {
      add(place->second, fault);
    }
  }
  return made;
}

bool is_grave(const Fault& fault, const Thresholds& thresholds) {
  return fault.severity != rules::Severity::note &&
         (thresholds.strict || fault.certainty != rules::Certainty::possible);
}

// One fault on both sides; null: there is none.
struct Faulted {
  const Fault* before;
  const Fault* after;
  Amount count_before, count_after;
};

bool is_different(const Faulted& pair, const Thresholds& thresholds) {
  if (pair.before == nullptr || pair.after == nullptr) {
    return true;
  }
  const bool note = std::max(pair.before->severity, pair.after->severity) == rules::Severity::note;
  return shares_differ(pair.count_before, pair.count_after, note ? kChance : tolerance(thresholds));
}

Difference made_of(const Faulted& pair, const Thresholds& thresholds) {
  const Fault* const fault = pair.after != nullptr ? pair.after : pair.before;
  Difference made;
  made.kind = Kind::finding;
  made.what = fault->shape;
  made.before = pair.count_before;
  made.after = pair.count_after;
  made.fault = *fault;
  made.regression = pair.after != nullptr && is_grave(*pair.after, thresholds) &&
                    (pair.before == nullptr || share(pair.count_after) > share(pair.count_before));
  if (pair.before != nullptr) {
    made.seen_before = pair.before->at;
  }
  if (pair.after != nullptr) {
    made.seen_after = pair.after->at;
  }
  return made;
}

}  // namespace

void compare_findings(const Gathered& before, const Gathered& after, const Thresholds& thresholds,
                      Comparison& into) {
  const Identified ours = identified(before.faults), theirs = identified(after.faults);
  // The gravest rules first; the same whichever side is the first.
  absl::btree_map<std::pair<int, Identity>, Faulted> pairs;
  const auto pair_of = [&](const Identity& identity, const Fault& fault) -> Faulted& {
    const std::pair key(-static_cast<int>(fault.rule->severity), identity);
    return pairs
        .try_emplace(key, Faulted{nullptr, nullptr, {0, before.profile.rpcs()}, {0, after.profile.rpcs()}})
        .first->second;
  };
  for (const auto& [identity, fault] : ours) {
    Faulted& pair = pair_of(identity, fault);
    pair.before = &fault;
    pair.count_before.value = fault.count;
  }
  for (const auto& [identity, fault] : theirs) {
    Faulted& pair = pair_of(identity, fault);
    pair.after = &fault;
    pair.count_after.value = fault.count;
  }
  for (const auto& [key, pair] : pairs) {
    if (is_different(pair, thresholds)) {
      into.differences.push_back(made_of(pair, thresholds));
    }
  }
}

}  // namespace steertag::diff
