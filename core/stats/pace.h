// Pace: how the traffic of a connection went over time: Calls outstanding, time at the credit limit, bytes
// each way, in at most so many intervals of one length, which doubles as the connection lasts longer. It is
// what a timeline shows where it has not every RPC. Whatever order RPCs are noted in, the result is the same.
// Paces has one of each connection, of the first so many; one takes over what those of shares have noted.
#pragma once

#include <absl/container/btree_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "flow/exchange.h"
#include "track/connection_number.h"

namespace steertag::stats {

class Pace {
 public:
  static constexpr size_t kMaxIntervals = 256;

  struct Interval {
    uint64_t outstanding_ns = 0;            // the time that Calls of the client waited, added up
    uint64_t at_limit_ns = 0;               // for how long the client had no credit left
    std::optional<uint32_t> granted_min;    // by Replies in it
    uint64_t to_server = 0, to_client = 0;  // bytes of RPC messages, by the time of the Reply

    void add(const Interval& other);
  };

  void note(const flow::Exchange& exchange);

  int64_t length_ns() const { return int64_t{1} << shift_; }
  int64_t start_ns(int64_t place) const { return place * length_ns(); }
  // By place, counted from the epoch; only those in which something was.
  const absl::btree_map<int64_t, Interval>& intervals() const { return intervals_; }

 private:
  void spread(int64_t from_ns, int64_t to_ns, uint64_t Interval::*what);
  void widen();
  void fit();

  int shift_ = 10;
  absl::btree_map<int64_t, Interval> intervals_;
};

class Paces {
 public:
  static constexpr uint32_t kMaxConnections = 4096;

  void note(const flow::Exchange& exchange);
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  void take_over(Paces& share, const Renumber& number);

  const absl::btree_map<uint32_t, Pace>& by_number() const { return paces_; }

 private:
  absl::btree_map<uint32_t, Pace> paces_;  // by number
};

}  // namespace steertag::stats
