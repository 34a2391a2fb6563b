// Disturbance: one thing that delays a connection and is seen in a packet of its own: something that was sent
// again, or that a receiver would not take. With Settings::for_reports each is reported as it comes; what the
// network says of itself is a track::Congestion.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"

namespace steertag::flow {

struct Disturbance {
  enum class Kind : uint8_t {
    sent_again,   // `from` sent a packet or segment again
    nak,          // `from` sent a NAK, RNR NAKs not among them
    rnr_nak,      // `from` was not ready to receive
    zero_window,  // iWARP: `from` closed its TCP window
  };
  Kind kind = Kind::sent_again;
  rdma::Side from = rdma::Side::a;
  Stamp at;
  std::optional<Stamp> original = {};  // sent_again: the first copy, where that is remembered
};

}  // namespace steertag::flow
