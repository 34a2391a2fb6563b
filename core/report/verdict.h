// Verdict: what an audit found, kept until all of it is known: for the reports that are written then (SARIF,
// JUnit ...), for baselines, and for comparisons of captures. Of each rule the first findings are kept whole,
// the others are counted; and all are counted by their fingerprints. What is known (known.h) is kept beside
// the rest, so that neither takes the other's place. Several can each hear of a share of the connections; one
// takes over what they have kept, and it is the same as if it had heard of everything.
#pragma once

#include <absl/container/btree_map.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "diff/difference.h"
#include "moment.h"
#include "report/finding.h"
#include "report/known.h"
#include "report/merger.h"
#include "rules/finding.h"
#include "rules/traffic.h"
#include "track/connection_number.h"

namespace steertag::report {

// Where a finding stands among all, in the order in which they are reported.
struct Place {
  uint32_t capture = 0;  // of several that were audited apart
  Moment moment;
  uint64_t nth = 0;
  friend constexpr auto operator<=>(const Place&, const Place&) = default;
};

// A finding that outlives its connection, which is null; what was to be told of that stands beside it.
struct KeptFinding : rules::Finding {
  explicit KeptFinding(const rules::Finding& finding);

  track::ConnectionNumber number;  // of the connection
  std::string ends;                // of the connection: "roce2 10.9.0.2 -> 10.9.0.1"
  std::string blamed;              // as blamed()
  Place place = {};
  uint64_t fingerprint = 0;
  const Known* known = nullptr;  // what accepts it; null: it is new, or there is more of it than was accepted
};

// All findings with one fingerprint.
struct Alike : diff::Fault {
  rules::Source source;                    // the clause, of the first
  uint64_t times = 0;                      // violations, of a habit once per finding (known.h)
  bool forward = false, backward = false;  // in which directions, as far as it is known who is to blame
  Place first;
};

// Findings, by severity and certainty.
struct FindingKinds {
  std::array<std::array<uint64_t, 3>, 3> counts{};

  uint64_t& of(rules::Severity severity, rules::Certainty certainty) {
    return counts[static_cast<size_t>(severity)][static_cast<size_t>(certainty)];
  }
  void add(const FindingKinds& other);
  uint64_t all() const;
};

class Verdict {
 public:
  static constexpr size_t kMostOfRule = 200;  // findings that are kept whole; as many known ones
  static constexpr size_t kMostAlike = 4096;  // fingerprints that are told apart: the lowest

  void add(const rules::Finding& finding, const Moment& now, const Known* known = nullptr);
  // Of which kinds the traffic was.
  void note(const auto& fact) { traffic_.note(fact); }
  void take_over(Verdict& share, size_t place, const Merger& merger);
  // The same of another capture, which comes behind all that were added: its files are those from
  // `first_file` on. Connections keep their numbers, which are those of their capture.
  void append(Verdict& other, uint32_t first_file);

  // There is more of it than was accepted: its findings count as if it were not known.
  void exceeded(const Known& known);

  // Of all that were added, the known ones included.
  const FindingCounts& counts() const { return counts_; }
  const rules::Traffic& traffic() const { return traffic_; }
  // In the order in which they were reported.
  std::vector<const KeptFinding*> findings() const;
  // Findings by this rule, of that kind, that are not known; whether they are kept or not.
  uint64_t count(const rules::Rule& rule, rules::Severity severity, rules::Certainty certainty) const;
  // All of them.
  uint64_t count(const rules::Rule& rule) const;
  // What is known, and not too often: how many findings each accepts. In the order of the KnownList.
  struct Accepted {
    const Known* known;
    uint64_t findings;
  };
  std::vector<Accepted> accepted() const;
  // Findings by this rule beyond those that are kept.
  uint64_t left_out(const rules::Rule& rule) const;
  // By fingerprint.
  const absl::btree_map<uint64_t, Alike>& alike() const { return alike_; }
  // Violations whose fingerprint was one too many.
  uint64_t beyond() const { return beyond_; }

 private:
  struct OfRule {
    std::vector<KeptFinding> kept;  // in order
    uint64_t seen = 0;
    FindingKinds kinds;

    void add_counts(const OfRule& other);
    void keep_first();
  };
  void count(Alike&& alike);
  void add_counts(const Verdict& other);

  FindingCounts counts_;
  rules::Traffic traffic_;
  absl::btree_map<std::pair<std::string_view, bool>, OfRule> of_rules_;  // by id; the known ones apart
  absl::btree_map<const Known*, FindingKinds> known_;                    // in the order of the KnownList
  absl::btree_map<uint64_t, Alike> alike_;
  uint64_t beyond_ = 0, heard_ = 0;
  uint32_t appended_ = 0;  // captures
};

}  // namespace steertag::report
