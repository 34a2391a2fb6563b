// Dearest: the few RPCs that show best what is said of many: those that weigh most, each with what it was
// about. Whatever the order in which they are noted, the same are left, so that those of parts add up to
// those of the whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "stats/evidence.h"
#include "stats/operation.h"

namespace steertag::stats {

class Dearest {
 public:
  static constexpr size_t kMost = 3;

  struct Entry {
    Evidence evidence;
    Operation operation;
    bool callback = false;  // the server is the Requester
  };

  // Whether an RPC of that weight would be among them.
  bool worth(int64_t weight) const { return weight >= 0 && weight >= entries_[kMost - 1].evidence.weight; }
  void note(Entry entry) {
    for (Entry& known : entries_) {
      if (entry.evidence.outweighs(known.evidence)) {
        std::swap(entry, known);
      }
    }
  }
  void add(const Dearest& others) {
    for (const Entry& entry : others.entries()) {
      note(entry);
    }
  }
  // `number` makes the numbers of their connections others.
  void renumber(const auto& number) {
    for (Entry& entry : entries_) {
      entry.evidence.connection = number(entry.evidence.connection);
    }
  }
  // The dearest first.
  std::span<const Entry> entries() const {
    const auto end = std::find_if(entries_.begin(), entries_.end(),
                                  [](const Entry& entry) { return !entry.evidence.any(); });
    return {entries_.begin(), end};
  }

 private:
  std::array<Entry, kMost> entries_;
};

}  // namespace steertag::stats
