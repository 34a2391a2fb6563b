// Outlet: what the two directions of a QpPair share: the Listener that they report their
// operations to, the path MTU, whether a DREQ was seen, counts of reported operations and lost
// packets, and the pool of held packets. Each QpPair has one, and its parts refer to it.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/held.h"
#include "rdma/roce/path_mtu.h"

namespace steertag::rdma::roce {

struct Outlet {
  // Whether the peer received the operations that are reported: that is assumed, or it is known that it did
  // not (sent after the DREQ and never acknowledged).
  enum class Reception : uint8_t { assumed, never };

  Listener& listener;
  Arrivals* arrivals = nullptr;  // null: nobody asks
  PathMtu path_mtu;
  Reception reception = Reception::assumed;  // of the operations being reported
  std::optional<Stamp> closed;               // the DREQ, once there was one
  uint64_t reported = 0;                     // operations, of both sides
  uint64_t position = 0;                     // RdmaOp::end_position of the one being reported
  uint64_t lost = 0;                         // packets that the capture lacks
  Shelf shelf;

  void report(RdmaOp& op) {
    ++reported;
    op.unreceived = reception == Reception::never;
    op.end_position = position;
    listener.on_op(op);
  }
  // Whether a packet counts only if it is acknowledged: after the DREQ the peer may no longer listen.
  bool doubts(const Stamp& at) const { return late(at) && reception == Reception::assumed; }
  bool late(const Stamp& at) const { return closed && captured_before(*closed, at); }  // after the DREQ
};

}  // namespace steertag::rdma::roce
