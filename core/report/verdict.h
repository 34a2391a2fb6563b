// Verdict: what an audit found, kept until all of it is known: for the reports that are written then (SARIF,
// JUnit ...), for baselines, and for comparisons of captures. Of each rule the first findings are kept whole,
// the others are counted; and all are counted by their fingerprints. What is known (known.h) is kept beside
// the rest, so that neither takes the other's place. Several can each hear of a share of the connections; one
// takes over what they have kept, and it is the same as if it had heard of everything.
#pragma once

#include <absl/container/btree_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "moment.h"
#include "report/finding.h"
#include "report/known.h"
#include "report/merger.h"
#include "rules/finding.h"
#include "track/connection_number.h"

namespace steertag::report {

// A finding that outlives its connection.
struct KeptFinding {
  std::pair<Moment, uint64_t> place;  // in the order in which findings are reported
  const rules::Rule* rule = nullptr;
  rules::Severity severity = rules::Severity::error;
  rules::Source source;
  rules::Certainty certainty = rules::Certainty::definite;
  Stamp at;
  track::ConnectionNumber connection;
  std::string ends;  // of the connection: "roce2 10.9.0.2 -> 10.9.0.1"
  std::optional<uint32_t> xid;
  rules::Blame blame = rules::Blame::undecided;
  std::string by;  // the address of who is to blame; empty where that is undecided
  std::string op;
  std::string text;
  std::optional<Range> where;
  std::vector<Stamp> related;
  rules::Excerpt excerpt;
  uint64_t fingerprint = 0;
  const Known* known = nullptr;  // what accepts it; null: it is new, or there is more of it than was accepted
};

// All findings with one fingerprint.
struct Alike {
  const rules::Rule* rule = nullptr;
  rules::Severity severity = rules::Severity::note;         // the gravest
  rules::Certainty certainty = rules::Certainty::possible;  // the surest
  rules::Blame blame = rules::Blame::undecided;
  uint32_t version = 0;
  std::string op, shape;
  uint64_t count = 0;  // violations: a finding may stand for several
  uint64_t times = 0;  // the same, of a habit once per finding (known.h)
  std::pair<Moment, uint64_t> first;
  Stamp at;  // of the first
};

class Verdict {
 public:
  static constexpr size_t kMostOfRule = 200;    // findings that are kept whole; as many known ones
  static constexpr size_t kMostAlike = 4096;    // fingerprints that are told apart
  static constexpr size_t kMostExcerpt = 4096;  // bytes of each text of an Excerpt

  void add(const rules::Finding& finding, const Moment& now, const Known* known = nullptr);
  void take_over(Verdict& share, size_t place, const Merger& merger);

  // There is more of it than was accepted.
  void exceeded(const Known& known);

  const FindingCounts& counts() const { return counts_; }
  // In the order in which they were reported.
  std::vector<const KeptFinding*> findings() const;
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
  };
  void count(uint64_t fingerprint, Alike alike);

  FindingCounts counts_;
  absl::btree_map<std::pair<std::string_view, bool>, OfRule> of_rules_;  // by id; the known ones apart
  absl::btree_map<uint64_t, Alike> alike_;
  uint64_t beyond_ = 0, heard_ = 0;
};

}  // namespace steertag::report
