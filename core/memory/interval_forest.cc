#include "memory/interval_forest.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"

namespace steertag::memory {
namespace {

// What keeps a tree flat: a number that has nothing to do with what it holds.
uint32_t weight(IntervalForest::Node node) {
  uint32_t x = (node + 1) * 0x9E3779B1u;
  x = (x ^ (x >> 15)) * 0x85EBCA77u;
  return x ^ (x >> 13);
}

bool before(const Place& x, const Place& y) {
  return std::tie(x.begin, x.last, x.ordinal) < std::tie(y.begin, y.last, y.ordinal);
}

}  // namespace

void IntervalForest::sum_up(Node node) {
  Tree& tree = nodes_[node];
  const Place& own = tree.place;
  tree.most_last = own.last;
  tree.most_reach = own.reach;
  tree.newest = own.ordinal;
  tree.newest_open = own.open ? own.ordinal : 0;
  tree.visit = own.open && own.leads;
  for (const Node child : {tree.left, tree.right}) {
    if (child != kNone) {
      const Tree& below = nodes_[child];
      tree.most_last = std::max(tree.most_last, below.most_last);
      tree.most_reach = std::max(tree.most_reach, below.most_reach);
      tree.newest = std::max(tree.newest, below.newest);
      tree.newest_open = std::max(tree.newest_open, below.newest_open);
      tree.visit |= below.visit;
    }
  }
}

IntervalForest::Node IntervalForest::add(Node& root, const Place& place) {
  STEERTAG_CHECK(place.ordinal != 0);
  Node node = free_;
  if (node == kNone) {
    node = static_cast<Node>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[node].left;
  }
  nodes_[node] = {};
  nodes_[node].place = place;
  sum_up(node);
  root = insert(root, node);
  return node;
}

void IntervalForest::remove(Node& root, Node node) {
  root = erase(root, node);
  nodes_[node].left = free_;
  free_ = node;
}

IntervalForest::Node IntervalForest::insert(Node root, Node node) {
  if (root == kNone) {
    return node;
  }
  if (weight(node) > weight(root)) {
    Node left = kNone, right = kNone;
    split(root, node, left, right);
    nodes_[node].left = left;
    nodes_[node].right = right;
    sum_up(node);
    return node;
  }
  Node& child = before(at(node), at(root)) ? nodes_[root].left : nodes_[root].right;
  child = insert(child, node);
  sum_up(root);
  return root;
}

// What stands before `by` goes to the left.
void IntervalForest::split(Node root, Node by, Node& left, Node& right) {
  if (root == kNone) {
    left = right = kNone;
    return;
  }
  if (before(at(root), at(by))) {
    split(nodes_[root].right, by, nodes_[root].right, right);
    left = root;
  } else {
    split(nodes_[root].left, by, left, nodes_[root].left);
    right = root;
  }
  sum_up(root);
}

IntervalForest::Node IntervalForest::merge(Node left, Node right) {
  if (left == kNone || right == kNone) {
    return left == kNone ? right : left;
  }
  if (weight(left) > weight(right)) {
    nodes_[left].right = merge(nodes_[left].right, right);
    sum_up(left);
    return left;
  }
  nodes_[right].left = merge(left, nodes_[right].left);
  sum_up(right);
  return right;
}

IntervalForest::Node IntervalForest::erase(Node root, Node node) {
  STEERTAG_CHECK(root != kNone);
  if (root == node) {
    return merge(nodes_[node].left, nodes_[node].right);
  }
  Node& child = before(at(node), at(root)) ? nodes_[root].left : nodes_[root].right;
  child = erase(child, node);
  sum_up(root);
  return root;
}

void IntervalForest::set(Node root, Node node, State state) {
  if (root == node) {
    at(node).open = state.open;
    at(node).leads = state.leads;
  } else {
    set(before(at(node), at(root)) ? nodes_[root].left : nodes_[root].right, node, state);
  }
  sum_up(root);
}

IntervalForest::Node IntervalForest::newest(Node root, const Query& query) const {
  Node best = kNone;
  seek(root, query, best);
  return best;
}

// The subtree with the newest place comes first: where that fits, the other one is passed over.
void IntervalForest::seek(Node root, const Query& query, Node& best) const {
  if (root == kNone) {
    return;
  }
  const Tree& tree = nodes_[root];
  const bool open = query.among != Among::all;
  const uint64_t newest = open ? tree.newest_open : tree.newest;
  if (newest <= (best == kNone ? 0 : at(best).ordinal) || tree.most_reach < query.reach ||
      (!query.anywhere && tree.most_last < query.begin)) {
    return;
  }
  const Place& own = tree.place;
  if (!query.anywhere && own.begin > query.last) {
    return seek(tree.left, query, best);
  }
  const bool shares = query.anywhere || (own.last >= query.begin && !own.empty());
  const bool fits = shares && own.reach >= query.reach && (own.open || !open);
  if (fits && (best == kNone || own.ordinal > at(best).ordinal)) {
    best = root;
  }
  const auto age = [&](Node child) {
    return child == kNone ? 0 : open ? nodes_[child].newest_open : nodes_[child].newest;
  };
  const bool left_first = age(tree.left) > age(tree.right);
  seek(left_first ? tree.left : tree.right, query, best);
  seek(left_first ? tree.right : tree.left, query, best);
}

void IntervalForest::check([[maybe_unused]] Node root) const {
#ifndef NDEBUG
  if (root == kNone) {
    return;
  }
  const Tree& tree = nodes_[root];
  for (const Node child : {tree.left, tree.right}) {
    if (child != kNone) {
      STEERTAG_CHECK(weight(child) <= weight(root));
      STEERTAG_CHECK(before(at(child), at(root)) == (child == tree.left));
      STEERTAG_CHECK(nodes_[child].most_last <= tree.most_last);
      STEERTAG_CHECK(nodes_[child].most_reach <= tree.most_reach);
      STEERTAG_CHECK(nodes_[child].newest <= tree.newest);
      STEERTAG_CHECK(nodes_[child].newest_open <= tree.newest_open);
      STEERTAG_CHECK(!nodes_[child].visit || tree.visit);
      check(child);
    }
  }
#endif
}

}  // namespace steertag::memory
