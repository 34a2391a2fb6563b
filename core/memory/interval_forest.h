// IntervalForest: interval trees over advertised segments, ordered by first byte. Each node is
// augmented with the furthest end and the newest entry of its subtree, so that the newest segment
// that holds a byte is found without visiting all of them.
//
// The nodes of all trees lie in one pool and are used again. A tree is just its root, which the
// caller keeps: SegmentIndex has two for each handle, for writing and for reading. The trees know
// which segments are open, but nothing of invalidation, which is SegmentIndex's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace steertag::memory {

struct Advertisement;

// The last of `length` bytes from `begin` on, of which there is one at least; memory ends at 2^64 - 1.
constexpr uint64_t last_of(uint64_t begin, uint64_t length) {
  return length - 1 <= UINT64_MAX - begin ? begin + (length - 1) : UINT64_MAX;
}

// What a segment is advertised for: Place::reading.
constexpr bool kToRead = true, kToWrite = false;

// One advertised segment as a tree holds it: its byte range under the handle, when and by which Exchange it
// was advertised, and whether it is still open. Segments that share one Traffic (TrafficKeeper) are linked in
// a ring, of which each() visits only the leader.
struct Place {
  uint64_t begin = 1, last = 0;  // its bytes, in the memory of the handle; last < begin: it has none
  uint64_t reach = 0;            // last byte of the unbroken range of its message that it lies in
  uint64_t ordinal = 0;          // when it was advertised: the newest has the largest
  Advertisement* advertisement = nullptr;  // that of its Exchange ...
  uint32_t segment = 0;                    // ... and the index in Exchange::segments
  uint32_t handle = 0;
  bool reading = false;  // advertised to be read, otherwise to be written
  bool open = true;      // the Call is not answered; of a Reply: the RDMA_DONE was not seen
  // each() visits it. False: another one of its ring is visited instead; or, where it is advertised for
  // writing, its Exchange is known to share memory already (Advertised::mark_shared).
  bool leads = true;
  // Its neighbours in the ring of those that share its Traffic; alone: IntervalForest::kNone.
  uint32_t next_sharer = UINT32_MAX, last_sharer = UINT32_MAX;

  bool empty() const { return last < begin; }
  bool holds(uint64_t byte) const { return begin <= byte && byte <= last; }
};

class IntervalForest {
 public:
  using Node = uint32_t;
  static constexpr Node kNone = UINT32_MAX;

  // Asks for the newest place that shares a byte with [begin, last] and whose Place::reach is at least
  // `reach`.
  enum class Among : uint8_t {
    live,  // open and not invalidated; to the trees it means `open`, SegmentIndex sees to the rest
    open,
    all,
  };
  struct Query {
    uint64_t begin = 0, last = UINT64_MAX;
    uint64_t reach = 0;
    Among among = Among::live;
    bool anywhere = false;  // whatever bytes they hold, or none

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
  // Visits each open place that leads and shares a byte with [begin, last], in order of begin, last and age.
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

}  // namespace steertag::memory
