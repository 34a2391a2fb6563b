// Disturbances: when connections were disturbed: what was sent again, refused, or marked by the network,
// counted for each interval of time and connection that carries RPC-over-RDMA; and pause frames, which name
// no connection, for each interval. Bounded: beyond so many, further ones are added up. Several can each have
// a share of the connections; one takes over what they have counted.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "flow/disturbance.h"
#include "frame.h"
#include "track/connection.h"
#include "track/connection_number.h"

namespace steertag::stats {

struct Disturbed {
  // Packets or segments sent again: by the client, by the server. Where the roles are not known: by the side
  // that was seen first, by the other.
  std::array<uint64_t, 2> again{};
  uint64_t naks = 0, rnr_naks = 0, zero_windows = 0, ecn_ce = 0, cnps = 0, pauses = 0;

  void add(const Disturbed& other);
  bool any() const;
  friend bool operator==(const Disturbed&, const Disturbed&) = default;
};

class Disturbances {
 public:
  static constexpr size_t kMaxIntervals = 65536;  // of all connections together

  // `interval_ns`: how long each is; 0: nothing is counted.
  explicit Disturbances(int64_t interval_ns) : interval_ns_(interval_ns) {}

  void note(const track::Connection& connection, const flow::Disturbance& disturbance);
  void note(const track::Connection& connection, const track::Congestion& congestion);
  void note_pause(const Stamp& at);
  enum class Wanted : uint8_t { no, yes };
  void close(const track::Connection& connection, Wanted wanted);  // nothing more comes of it
  using Renumber = std::function<track::ConnectionNumber(track::ConnectionNumber)>;
  void take_over(const Disturbances& share, const Renumber& number);

  // By the number of the connection, and by the start of the interval, ns: a multiple of its length, counted
  // from the epoch. Connection 0: pause frames.
  struct Interval {
    bool roles_known = true;
    Disturbed disturbed;
  };
  using Intervals = absl::btree_map<std::pair<track::ConnectionNumber, int64_t>, Interval>;
  const Intervals& intervals() const { return closed_; }
  Disturbed all() const;
  const Disturbed& rest() const { return rest_; }  // of further intervals

 private:
  using Open = absl::btree_map<int64_t, Disturbed>;
  int64_t start_of(const Stamp& at) const { return at.time_ns - at.time_ns % interval_ns_; }
  Disturbed& open(const track::Connection& connection, const Stamp& at);
  void keep(track::ConnectionNumber number, int64_t start_ns, const Interval& interval);

  const int64_t interval_ns_;
  absl::flat_hash_map<const track::Connection*, Open> open_;  // `again` by Side
  Intervals closed_;
  size_t count_ = 0;  // intervals, open and closed
  Disturbed rest_;
};

}  // namespace steertag::stats
