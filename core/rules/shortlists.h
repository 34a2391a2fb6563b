// Shortlists: of all rules that look at one sort of facts, those to be asked about the fact at hand.
// Facts of one kind, with the same traits (plain.h) and of which the capture hides the same share
// one list, which is made when the first of them comes: an ordinary Call is then judged by five
// rules instead of forty. What the others say is counted for all of them at once.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rules/plain.h"
#include "rules/rule.h"
#include "rules/tally.h"
#include "rules/weighing.h"

namespace steertag::rules {

template <typename Check>
class Shortlists {
 public:
  struct Entry {
    Check check = nullptr;
    const Rule* rule = nullptr;
    uint32_t place = 0;   // in the catalog
    uint8_t missing = 0;  // of what the rule needs
  };
  struct List {
    std::vector<Entry> asked;
    std::vector<Entry> kept,
        never;           // those that are not: they would say that it complies; that they never apply
    uint64_t facts = 0;  // that it was used for and that are not counted yet
  };

  // What some facts are not distinguished by is 0 for all of them.
  struct Sort {
    uint8_t kind = 0;  // kind_of(message)
    plain::Traits traits = 0;
    uint8_t unmet = 0;  // needs that are not met
  };

  // Traffic has a dozen sorts. Beyond that many, which takes malice, all lists are made anew.
  static constexpr size_t kMostLists = 512;

  // `tallies`: by rule, in the order of the catalog.
  explicit Shortlists(std::vector<Tally>& tallies) : tallies_(tallies) {}

  // Rules are entered in the order of the catalog. `about`: the kinds that it is asked about, one bit each.
  void enter(Check check, const Rule& rule, size_t place, Kinds about, plain::Says says) {
    rules_.push_back({{check, &rule, static_cast<uint32_t>(place), rule.needs}, about, says});
  }

  // Good until the next fact. The caller asks; what the others say is counted.
  const List& next(const Sort& sort) {
    const uint32_t key = uint32_t{sort.kind} << 16 | uint32_t{sort.traits} << 8 | sort.unmet;
    const auto found = lists_.find(key);
    List& list = found != lists_.end() ? found->second : make(key, sort);
    ++list.facts;
    return list;
  }

  // Enters into the tallies what the rules that were not asked have said until now.
  void count() {
    for (auto& [key, list] : lists_) {
      for (const Entry& entry : list.kept) {
        Tally& tally = tallies_[entry.place];
        if (entry.missing == 0) {
          tally.kept += list.facts;
        } else {
          tally.give_up(Weighing::lack_of(entry.missing), list.facts);
        }
      }
      list.facts = 0;
    }
  }

 private:
  struct Candidate {
    Entry entry;
    Kinds about;
    plain::Says says;
  };

  List& make(uint32_t key, const Sort& sort) {
    if (lists_.size() == kMostLists) {
      count();
      lists_.clear();
    }
    List& list = lists_[key];
    for (const Candidate& candidate : rules_) {
      if ((candidate.about >> sort.kind & 1) == 0) {
        continue;
      }
      const plain::Says& says = candidate.says;
      const bool asked = sort.traits == 0 || (says.asked & sort.traits) != 0;
      std::vector<Entry>& into = asked ? list.asked : (says.kept & sort.traits) != 0 ? list.kept : list.never;
      into.push_back(candidate.entry);
      into.back().missing = candidate.entry.rule->needs & sort.unmet;
    }
    return list;
  }

  std::vector<Tally>& tallies_;
  std::vector<Candidate> rules_;
  absl::flat_hash_map<uint32_t, List> lists_;
};

}  // namespace steertag::rules
