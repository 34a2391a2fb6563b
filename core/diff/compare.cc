#include "diff/compare.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "diff/noise.h"
#include "diff/operations.h"
#include "rules/catalog.h"

namespace steertag::diff {
namespace {

// What compare() finds of the findings of two captures: those that came, went, or changed their number for as
// many RPCs.
// For the files of this folder alone.

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

// --- rules ---

void compare_rules(const Gathered& a, const Gathered& b, const Thresholds& thresholds, Comparison& into) {
  const auto catalog = rules::catalog();
  for (size_t i = 0; i < std::min({catalog.size(), a.tallies.size(), b.tallies.size()}); ++i) {
    const rules::Tally &before = a.tallies[i], &after = b.tallies[i];
    const uint64_t verdicts_a = before.kept + before.broken, verdicts_b = after.kept + after.broken;
    if ((verdicts_a == 0) == (verdicts_b == 0)) {
      continue;
    }
    Difference& made = into.differences.emplace_back();
    made.kind = Kind::rule;
    made.what = catalog[i]->id;
    made.before = {verdicts_a};
    made.after = {verdicts_b};
    made.rule = catalog[i];
    made.undecided_before = before.undecided;
    made.undecided_after = after.undecided;
    made.regression = verdicts_b == 0 && thresholds.required && thresholds.required(*catalog[i]);
  }
}

// --- operations ---

void compare_operations(const Gathered& a, const Gathered& b, const Thresholds& thresholds,
                        Comparison& into) {
  const OperationProfile none;
  const Profile::Operations &before = a.profile.operations(), &after = b.profile.operations();
  auto ours = before.begin();
  auto theirs = after.begin();
  while (ours != before.end() || theirs != after.end()) {
    const bool only_before = theirs == after.end() || (ours != before.end() && ours->first < theirs->first);
    const bool only_after = ours == before.end() || (theirs != after.end() && theirs->first < ours->first);
    const stats::Operation& operation = only_after ? theirs->first : ours->first;
    compare_operation(operation, only_after ? none : ours->second, only_before ? none : theirs->second,
                      thresholds, into);
    if (!only_after) {
      ++ours;
    }
    if (!only_before) {
      ++theirs;
    }
  }
}

// --- connections ---

Usage usage_of(const Profile& profile) {
  Usage all;
  for (const auto& [operation, of_it] : profile.operations()) {
    all.add(of_it.usage);
  }
  all.add(profile.further().usage);
  return all;
}

Difference& add(Comparison& into, Kind kind, std::string what, const Amount& a, const Amount& b) {
  Difference& made = into.differences.emplace_back();
  made.kind = kind;
  made.what = std::move(what);
  made.before = a;
  made.after = b;
  return made;
}

void compare_invalidation(const Gathered& a, const Gathered& b, const Thresholds& thresholds,
                          Comparison& into) {
  const Usage before = usage_of(a.profile), after = usage_of(b.profile);
  const Amount used_a{before.invalidated, before.with_chunks}, used_b{after.invalidated, after.with_chunks};
  const bool one_side = used_a.of != 0 && used_b.of != 0 && (used_a.value == 0) != (used_b.value == 0);
  if (one_side || shares_differ(used_a, used_b, tolerance(thresholds))) {
    add(into, Kind::invalidation, "remote invalidation", used_a, used_b);
  }
}

void compare_credits(const ConnectionsProfile& a, const ConnectionsProfile& b, Comparison& into) {
  const auto one = [&](const char* what, std::optional<uint32_t> before, std::optional<uint32_t> after) {
    if (before && after && *before != *after) {
      add(into, Kind::credits, what, {*before}, {*after});
    }
  };
  one("granted", a.granted, b.granted);
  one("requested", a.requested, b.requested);
}

void compare_network(const Profile& a, const Profile& b, Comparison& into) {
  const std::pair<const char*, uint64_t ConnectionsProfile::*> counts[] = {
      {"retransmissions", &ConnectionsProfile::retransmitted},
      {"NAKs", &ConnectionsProfile::naks},
      {"RNR NAKs", &ConnectionsProfile::rnr_naks}};
  for (const auto& [what, count] : counts) {
    const Amount before{a.connections().*count, a.rpcs()}, after{b.connections().*count, b.rpcs()};
    if (shares_differ(before, after, kChance)) {
      add(into, Kind::network, what, before, after).regression = share(after) > share(before);
    }
  }
}

// How many are of each kind, where one side has none of it.
template <size_t size>
void compare_kinds(const std::array<uint64_t, size>& a, const std::array<uint64_t, size>& b,
                   const std::array<std::string_view, size>& names, Comparison& into) {
  for (size_t i = 0; i < size; ++i) {
    if ((a[i] == 0) != (b[i] == 0)) {
      add(into, Kind::connections, std::string(names[i]), {a[i]}, {b[i]});
    }
  }
}

void compare_connections(const ConnectionsProfile& a, const ConnectionsProfile& b,
                         const Thresholds& thresholds, Comparison& into) {
  if (counts_differ(a.connections, b.connections, {thresholds.count, 0})) {
    // Where nothing is left that could be worse, that is what is wrong.
    add(into, Kind::connections, "connections", {a.connections}, {b.connections}).regression =
        b.connections == 0;
  }
  if (a.connections == 0 || b.connections == 0) {
    return;  // that says it all
  }
  compare_kinds(a.transports, b.transports, {"roce1", "roce2", "infiniband", "iwarp"}, into);
  compare_kinds(a.versions, b.versions, {"another version", "version 1", "version 2"}, into);
}

}  // namespace

uint64_t Comparison::regressions() const {
  return static_cast<uint64_t>(std::count_if(differences.begin(), differences.end(),
                                             [](const Difference& one) { return one.regression; }));
}

Comparison compare(const Gathered& before, const Gathered& after, const Thresholds& thresholds) {
  Comparison made;
  compare_network(before.profile, after.profile, made);  // first: it explains latencies and failures
  compare_findings(before, after, thresholds, made);
  compare_rules(before, after, thresholds, made);
  compare_operations(before, after, thresholds, made);
  compare_invalidation(before, after, thresholds, made);
  compare_credits(before.profile.connections(), after.profile.connections(), made);
  compare_connections(before.profile.connections(), after.profile.connections(), thresholds, made);
  return made;
}

}  // namespace steertag::diff
