// IntervalForest: places of advertised segments in search trees, one tree a handle, ordered
// by where they begin. Each subtree knows how far it reaches and which of its places is the
// newest, so that the newest of those that hold a byte is found without looking at them all.
//
// The nodes of all trees lie in one piece of memory and are used again. A tree is its
// root, which the caller keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"

namespace steertag::flow {

struct Advertisement;

// The last of `length` bytes from `begin` on, of which there is one at least; memory ends at 2^64 - 1.
constexpr uint64_t last_of(uint64_t begin, uint64_t length) {
  return length - 1 <= UINT64_MAX - begin ? begin + (length - 1) : UINT64_MAX;
}

// What a segment is advertised for: Place::reading.
constexpr bool kToRead = true, kToWrite = false;

// Where one segment lies, and for whom.
struct Place {
  uint64_t begin = 1, last = 0;  // its bytes, in the memory of the handle; last < begin: it has none
  uint64_t reach = 0;            // the last byte that the same Call advertises from here on without a hole
  uint64_t ordinal = 0;          // when it was advertised: the newest has the largest
  Advertisement* advertisement = nullptr;  // the Call or the Reply that it stands in ...
  uint32_t segment = 0;                    // ... and the index of its segment there
  uint32_t handle = 0;
  bool reading = false;  // advertised to be read, otherwise to be written
  bool open = true;      // the Call is not answered; of a Reply: the RDMA_DONE was not seen
  bool leads = true;     // of those that share one Traffic it is the one to be visited
  // Those that share its Traffic, in a ring; alone: IntervalForest::kNone.
  uint32_t next_sharer = UINT32_MAX, last_sharer = UINT32_MAX;

  bool empty() const { return last < begin; }
  bool holds(uint64_t byte) const { return begin <= byte && byte <= last; }
};

class IntervalForest {
 public:
  using Node = uint32_t;
  static constexpr Node kNone = UINT32_MAX;

  // What is looked for: of the places that share a byte with [begin, last], and whose `reach` is no less, the
  // newest.
  enum class Among : uint8_t {
    live,  // open, and not invalidated, of which the trees know nothing; see SegmentIndex
    open,
    all,
  };
  struct Query {
    uint64_t begin = 0, last = UINT64_MAX;
    uint64_t reach = 0;
    Among among = Among::live;
    bool anywhere = false;  // whatever bytes they hold, if any

    static Query byte(uint64_t at, Among which = Among::live) { return {at, at, 0, which}; }
  };

  Node add(Node& root, const Place& place);
  void remove(Node& root, Node node);
  // Whether the place is open, whether it leads.
  struct State {
    bool open = true, leads = true;
  };
  void set(Node root, Node node, State state);

  Place& at(Node node) { return nodes_[node].place; }
  const Place& at(Node node) const { return nodes_[node].place; }
  Node newest(Node root, const Query& query) const;  // kNone: there is none
  // Each open place that leads and shares a byte with [begin, last], by begin, last and age.
  template <typename Visit>
  void each(Node root, uint64_t begin, uint64_t last, const Visit& visit) const {
    if (root == kNone || !nodes_[root].visit || nodes_[root].most_last < begin) {
      return;
    }
    const Tree& tree = nodes_[root];
    each(tree.left, begin, last, visit);
    if (tree.place.begin <= last) {
      if (tree.place.open && tree.place.leads && tree.place.last >= begin && !tree.place.empty()) {
        visit(root);
      }
      each(tree.right, begin, last, visit);
    }
  }
  size_t bytes() const { return nodes_.capacity() * sizeof(Tree); }
  void check(Node root) const;  // asserts what the trees promise

 private:
  struct Tree {
    Place place;
    Node left = kNone, right = kNone;
    // Of the subtree:
    uint64_t most_last = 0, most_reach = 0;
    uint64_t newest = 0, newest_open = 0;  // ordinals; 0: none
    bool visit = false;                    // some place in it is open and leads
  };

  void sum_up(Node node);
  Node insert(Node root, Node node);
  void split(Node root, Node by, Node& left, Node& right);
  Node merge(Node left, Node right);
  Node erase(Node root, Node node);
  void seek(Node root, const Query& query, Node& best) const;

  std::vector<Tree> nodes_;
  Node free_ = kNone;  // linked by `left`
};

}  // namespace steertag::flow
