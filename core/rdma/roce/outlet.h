// Outlet: where both directions of one pair of QPs report their operations, and what both
// have to know of the pair for that: the path MTU, whether the end was asked for, how much
// was reported and lost so far, memory of packets that waited. One a QpPair; its parts refer
// to it.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/held.h"
#include "rdma/roce/path_mtu.h"

namespace steertag::rdma::roce {

struct Outlet {
  enum class Reception : uint8_t { assumed, never };

  Listener& listener;
  PathMtu path_mtu;
  Reception reception = Reception::assumed;  // of what is reported at the moment
  std::optional<Stamp> closed;               // by this DREQ
  uint64_t reported = 0;                     // operations, of both sides
  uint64_t lost = 0;                         // packets that the capture lacks
  Shelf shelf;

  void report(RdmaOp& op) {
    ++reported;
    op.unreceived = reception == Reception::never;
    listener.on_op(op);
  }
  // After the DREQ the peer may not listen any more: what it does not acknowledge may not have been received.
  bool doubts(const Stamp& at) const { return late(at) && reception == Reception::assumed; }
  bool late(const Stamp& at) const { return closed && captured_before(*closed, at); }  // behind the DREQ
};

}  // namespace steertag::rdma::roce
