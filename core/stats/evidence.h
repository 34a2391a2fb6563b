// Evidence: the one RPC to look at where something is said of many: that which weighs most, and of
// several that weigh the same the one whose Call was captured first, whatever the order in which they are
// noted.
#pragma once

#include <cstdint>
#include <tuple>

#include "frame.h"
#include "stats/rpc.h"
#include "track/connection_number.h"

namespace steertag::stats {

struct Evidence {
  int64_t weight = -1;  // often a time, ns; negative: there is none
  Stamp at;             // of its Call, else of its Reply
  track::ConnectionNumber connection;
  uint32_t disturbed = 0;  // packets sent again and NAKs on its connection, between its Call and its Reply

  bool any() const { return weight >= 0; }
  void note(const Rpc& rpc, int64_t weight_of_it) {
    note({weight_of_it, rpc.began, rpc.connection, rpc.disturbed});
  }
  void note(const Evidence& other) {
    if (other.outweighs(*this)) {
      *this = other;
    }
  }
  bool outweighs(const Evidence& other) const {
    const auto place = [](const Stamp& call) { return std::tuple(call.time_ns, call.file, call.number); };
    return weight > other.weight || (any() && weight == other.weight && place(at) < place(other.at));
  }
};

}  // namespace steertag::stats
