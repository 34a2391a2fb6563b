// Groups: the RPCs of a capture by what they have in common: operation, connection, client, server, file,
// user, in any combination, and by the interval of time in which they began. Bounded: once there are so many
// groups and intervals, RPCs of further ones are counted together, as the rest.
// Several can each have a share of the connections; one takes over what they have counted.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/address.h"
#include "stats/operation.h"
#include "stats/rpc.h"
#include "stats/totals.h"
#include "track/connection_number.h"

namespace steertag::stats {

struct Grouping {
  bool op = false, connection = false, client = false, server = false, file = false, user = false;
  int64_t interval_ns = 0;  // 0: none
};

// What is not asked for is as in a new one.
struct Key {
  Operation operation;
  track::ConnectionNumber connection;
  base::Address client, server;
  std::string file;              // empty: not known
  std::optional<uint32_t> user;  // unset: not known

  friend bool operator==(const Key&, const Key&) = default;
  friend auto operator<=>(const Key&, const Key&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Key& k) {
    return H::combine(std::move(h), k.operation, uint32_t{k.connection}, k.client, k.server, k.file, k.user);
  }
};

struct Group {
  Key key;
  Totals totals;
  // That have an RPC, by their start, ns: a multiple of the length, counted from the epoch. Where asked for.
  absl::btree_map<int64_t, Totals> intervals;
};

class Groups {
 public:
  static constexpr size_t kMaxStats = 65536;  // groups, or intervals of all of them

  explicit Groups(const Grouping& by) : by_(by) {}

  void add(const Rpc& rpc);
  // `number` makes the numbers of its connections ours.
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  void take_over(const Groups& share, const Renumber& number);

  const Grouping& by() const { return by_; }
  // Those in which the most time was spent first.
  std::vector<const Group*> dearest_first() const;
  // From the start of the first interval that has an RPC to that of the last, whatever their group; how many
  // there are. None: 0.
  struct Span {
    int64_t first_ns = 0, last_ns = 0;
    uint64_t intervals = 0;
  };
  Span span() const;
  const Totals& all() const { return all_; }
  const Totals& rest() const { return rest_; }  // of no group; count 0: none

 private:
  Key key_of(const Rpc& rpc) const;
  Group* group(const Key& key);                      // null: one too many
  Totals* interval(Group& group, int64_t start_ns);  // the same

  const Grouping by_;
  absl::flat_hash_map<Key, size_t> places_;
  std::vector<Group> groups_;
  size_t intervals_ = 0;  // of all groups
  Totals all_, rest_;
};

}  // namespace steertag::stats
