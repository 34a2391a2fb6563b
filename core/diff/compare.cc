#include "diff/compare.h"

#include <algorithm>
#include <string>
#include <utility>

#include "diff/findings.h"
#include "diff/noise.h"
#include "diff/operations.h"
#include "rules/catalog.h"

namespace steertag::diff {

namespace {

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
      add(into, Kind::network, what, before, after);
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
  compare_findings(before, after, thresholds, made);
  compare_rules(before, after, thresholds, made);
  compare_operations(before, after, thresholds, made);
  compare_invalidation(before, after, thresholds, made);
  compare_credits(before.profile.connections(), after.profile.connections(), made);
  compare_network(before.profile, after.profile, made);
  compare_connections(before.profile.connections(), after.profile.connections(), thresholds, made);
  return made;
}

}  // namespace steertag::diff
