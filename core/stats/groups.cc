#include "stats/groups.h"

#include <algorithm>

namespace steertag::stats {

Key Groups::key_of(const Rpc& rpc) const {
  Key key;
  if (by_.op) {
    key.operation = rpc.operation;
  }
  if (by_.connection) {
    key.connection = rpc.connection;
  }
  if (by_.client) {
    key.client = rpc.client;
  }
  if (by_.server) {
    key.server = rpc.server;
  }
  if (by_.file) {
    key.file = rpc.file;
  }
  if (by_.user) {
    key.user = rpc.user;
  }
  return key;
}

void Groups::add(const Rpc& rpc) {
  all_.add(rpc);
  Group* const group = this->group(key_of(rpc));
  if (group == nullptr) {
    return rest_.add(rpc);
  }
  if (by_.interval_ns != 0) {
    Totals* const interval = this->interval(*group, rpc.first_ns - rpc.first_ns % by_.interval_ns);
    if (interval == nullptr) {
      return rest_.add(rpc);
    }
    interval->add(rpc);
  }
  group->totals.add(rpc);
}

void Groups::take_over(const Groups& share, const Renumber& number) {
  all_.add(share.all_);
  rest_.add(share.rest_);
  for (const Group& theirs : share.groups_) {
    Key key = theirs.key;
    key.connection = number(key.connection);
    Group* const ours = group(key);
    if (ours == nullptr) {
      rest_.add(theirs.totals);
      continue;
    }
    if (by_.interval_ns == 0) {
      ours->totals.add(theirs.totals);
    }
    for (const auto& [start_ns, totals] : theirs.intervals) {
      Totals* const interval = this->interval(*ours, start_ns);
      (interval != nullptr ? *interval : rest_).add(totals);
      if (interval != nullptr) {
        ours->totals.add(totals);
      }
    }
  }
}

Group* Groups::group(const Key& key) {
  const auto found = places_.find(key);
  if (found != places_.end()) {
    return &groups_[found->second];
  }
  if (groups_.size() == kMaxStats) {
    return nullptr;
  }
  places_.emplace(key, groups_.size());
  groups_.push_back({key, {}, {}});
  return &groups_.back();
}

Totals* Groups::interval(Group& group, int64_t start_ns) {
  const auto found = group.intervals.find(start_ns);
  if (found != group.intervals.end()) {
    return &found->second;
  }
  if (intervals_ == kMaxStats) {
    return nullptr;
  }
  ++intervals_;
  return &group.intervals[start_ns];
}

Groups::Span Groups::span() const {
  int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
  for (const Group& group : groups_) {
    if (!group.intervals.empty()) {
      first_ns = std::min(first_ns, group.intervals.begin()->first);
      last_ns = std::max(last_ns, group.intervals.rbegin()->first);
    }
  }
  return first_ns > last_ns
             ? Span{}
             : Span{first_ns, last_ns, static_cast<uint64_t>((last_ns - first_ns) / by_.interval_ns) + 1};
}

std::vector<const Group*> Groups::dearest_first() const {
  std::vector<const Group*> order;
  for (const Group& group : groups_) {
    if (group.totals.count != 0) {
      order.push_back(&group);
    }
  }
  std::sort(order.begin(), order.end(), [](const Group* x, const Group* y) {
    const auto sum = [](const Group* group) { return group->totals.spent_ns(); };
    return sum(x) != sum(y) ? sum(x) > sum(y) : x->key < y->key;
  });
  return order;
}

}  // namespace steertag::stats
