// Dearest: the few RPCs that show best what is said of many: those that weigh most, each with what it was
// about. Whatever the order in which they are noted, the same are left, so that those of parts add up to
// those of the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

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
  bool worth(int64_t weight) const {
    return weight >= 0 && (entries_.size() < kMost || weight >= entries_.back().evidence.weight);
  }
  void note(Entry entry) {
    for (Entry& known : entries_) {
      if (entry.evidence.outweighs(known.evidence)) {
        std::swap(entry, known);
      }
    }
    if (entries_.size() < kMost && entry.evidence.any()) {
      entries_.push_back(std::move(entry));
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
  std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;  // most connections have none
};

}  // namespace steertag::stats
