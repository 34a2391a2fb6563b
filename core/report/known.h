// Known: behaviour that was looked at and accepted, by the fingerprint of its findings (rules/fingerprint.h),
// with the reason; a KnownList is all that a run is told of, from baselines and configurations.
// Whether there is more of it than was accepted is known only when all is heard: until then a finding that is
// on the list counts as known. Several KnownTallies can each hear of a share of the connections; one takes
// over what they have counted and decides.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/buffer.h"
#include "report/finding.h"
#include "rules/finding.h"

namespace steertag::report {

struct Known {
  uint64_t fingerprint = 0;
  // What it is the fingerprint of, for people.
  std::string rule, role, op, shape;
  uint32_t version = 0;             // 0: not said
  std::optional<uint64_t> at_most;  // unset: any number is accepted, and none is no surprise
  std::string reason;
  std::string file;  // where it is written down, by its name ...
  uint64_t line = 0;

  std::string title() const;  // "CHK-12 Write chunk N returns N bytes"
};

// How often a finding counts: as many times as the requirement was broken, but of a habit only once, since
// how often an end shows it on a connection depends on the load.
uint64_t times(const rules::Finding& finding);

class KnownList {
 public:
  void add(Known known);
  bool empty() const { return all_.empty(); }
  std::span<const Known> all() const { return all_; }
  // The place in all() of what accepts most of those with this fingerprint.
  std::optional<size_t> find(uint64_t fingerprint) const;

 private:
  std::vector<Known> all_;
  absl::flat_hash_map<uint64_t, size_t> widest_;
};

class KnownTally {
 public:
  explicit KnownTally(const KnownList& list) : list_(&list), seen_(list.all().size()) {}

  // What accepts the finding; null: it is new. `fails`: if it were new, the run would fail.
  const Known* take(const rules::Finding& finding, bool fails);
  void add(const KnownTally& share);

  struct Exceeded {
    const Known& known;
    uint64_t found = 0;
    FindingCounts findings;
    bool fails = false;
  };
  uint64_t findings() const;  // that were on the list
  // Of what there is more than was accepted. In the order of the list.
  std::vector<Exceeded> exceeded() const;
  // What has to be there, by what the list says, and was not found.
  std::vector<const Known*> stale() const;
  // Findings that are known, of what is not exceeded, by file; in the order of the list.
  struct OfFile {
    std::string file;
    uint64_t findings = 0;
  };
  std::vector<OfFile> by_file() const;

 private:
  struct Seen {
    uint64_t times = 0;
    FindingCounts findings;
    bool fails = false;
  };
  bool exceeds(size_t place) const;

  const KnownList* list_;
  std::vector<Seen> seen_;  // as KnownList::all()
};

// "CHK-12 Write chunk N returns N bytes: 7 found, 5 are known (known.toml:12)"
void text_exceeded(Buffer& out, const KnownTally::Exceeded& exceeded);
// "known.toml:12: CHK-12 Write chunk N returns N bytes: known, but found no more"
std::string stale_text(const Known& known);
// "known: 34 by known.toml, 1 by linux-6.1.toml"
void text_by_file(Buffer& out, std::span<const KnownTally::OfFile> files);
// {"type":"exceeded"}, {"type":"stale"}
void json_exceeded(Buffer& out, const KnownTally::Exceeded& exceeded);
void json_stale(Buffer& out, const Known& known);

}  // namespace steertag::report
