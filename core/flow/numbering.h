// Numbering: gives connections their numbers, in the order of their first frames as far as
// that can be known: when one is found to carry RPC-over-RDMA, those that began before it
// and look as if they did go first.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>

#include "track/connection.h"

namespace steertag::flow {

class Numbering {
 public:
  // Something speaks for it, or no longer does.
  void note_promising(track::Connection& connection) { promising_.emplace(connection.order, &connection); }
  void forget(const track::Connection& connection) { promising_.erase(connection.order); }
  // It carries RPC-over-RDMA.
  void claim(track::Connection& connection) {
    while (!promising_.empty() && promising_.begin()->first < connection.order) {
      number(*promising_.begin()->second);
      promising_.erase(promising_.begin());
    }
    forget(connection);
    number(connection);
  }

 private:
  void number(track::Connection& connection) {
    if (connection.number == 0) {
      connection.number = ++last_;
    }
  }

  absl::btree_map<uint64_t, track::Connection*> promising_;  // by Connection::order
  uint32_t last_ = 0;
};

}  // namespace steertag::flow
