// Idlest: finds what was not used for the longest time, in a table that is full.
// Using something costs nothing here: what was noted of it may be out of date, and
// is brought up to date when it comes up. So a search costs a logarithm for each
// thing that was used since it was last looked at, and a table of any size never
// has to be walked.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <cstddef>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace steertag::base {

// `Key` names a thing of the table; another one may have it later. `Use`: when it was last used, compared
// by <.
template <typename Key, typename Use>
class Idlest {
 public:
  void add(const Key& key, const Use& use) { heap_.push({use, key}); }

  // The key of the idlest, which is forgotten. `used`: when a key was last used, unset where it is gone from
  // the table. Unset where nothing is left.
  template <typename Used>
  std::optional<Key> take(const Used& used) {
    while (!heap_.empty()) {
      const Note note = heap_.top();
      heap_.pop();
      const std::optional<Use> now = used(note.key);
      if (now && note.use < *now) {
        heap_.push({*now, note.key});
      } else if (now) {
        return note.key;
      }
    }
    return std::nullopt;
  }

  size_t notes() const { return heap_.size(); }

  // Forgets what is gone, where that may be most of it. `size`: things in the table.
  template <typename Used>
  void trim(size_t size, const Used& used) {
    if (heap_.size() < 2 * size + 64) [[likely]] {
      return;
    }
    // One note is enough for what was added, left the table, and was added again.
    absl::flat_hash_set<Key> seen;
    std::vector<Note> left;
    for (; !heap_.empty(); heap_.pop()) {
      const Key& key = heap_.top().key;
      const std::optional<Use> now = used(key);
      if (now && seen.insert(key).second) {
        left.push_back({*now, key});
      }
    }
    heap_ = Heap(Later(), std::move(left));
  }

 private:
  struct Note {
    Use use;
    Key key;
  };
  struct Later {
    bool operator()(const Note& x, const Note& y) const { return y.use < x.use; }
  };
  using Heap = std::priority_queue<Note, std::vector<Note>, Later>;
  Heap heap_;
};

}  // namespace steertag::base
