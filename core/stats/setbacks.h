// Setbacks: what has disturbed each connection lately, packet by packet: what was sent again or refused, with
// its frame. An RPC that is over can so be told together with what went wrong while it lasted; the report
// does that. Bounded: of each connection the latest are remembered, and of all together so many.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "flow/disturbance.h"
#include "track/connection.h"

namespace steertag::stats {

class Setbacks {
 public:
  static constexpr size_t kMost = 65536;      // that are remembered
  static constexpr size_t kMostOfOne = 4096;  // of one connection

  void note(const track::Connection& connection, const flow::Disturbance& disturbance);
  void close(const track::Connection& connection);  // nothing more comes of it

  struct Some {
    std::vector<flow::Disturbance> told;  // in order of time: the first and the last of them
    size_t all = 0;                       // how many there were, as far as is remembered
  };
  // Of a connection from one time to another, ns, both included; `most` of them are told.
  Some between(const track::Connection& connection, int64_t from_ns, int64_t to_ns, size_t most) const;

 private:
  using Latest = std::deque<flow::Disturbance>;

  absl::flat_hash_map<const track::Connection*, Latest> latest_;
  size_t count_ = 0;  // of all connections
};

}  // namespace steertag::stats
