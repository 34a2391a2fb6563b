// Loss: a run of packets of one kind that were lost together, or sent again without need. It says how their
// sender noticed, on which side of the tap they were lost, and how long a copy took.
// With Settings::for_reports each Loss is reported once it is over.
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"

namespace steertag::flow {

struct Loss {
  enum class What : uint8_t {
    data,
    ack,    // the sender repeated what the tap saw acknowledged: the acknowledgment was lost
    setup,  // what asks for the connection: a REQ of the CM, or a SYN
  };
  enum class NoticedBy : uint8_t {
    nak,
    rnr_nak,         // nothing was lost: the receiver had no buffer ready
    read_retry,      // the Requester of an RDMA Read asked again for what was missing
    timeout,         // nothing in the capture tells the sender
    duplicate_acks,  // TCP: the receiver acknowledged the same place again (RFC 5681 §3.2, RFC 6675)
  };
  enum class Where : uint8_t {
    before_tap,  // the copy that was lost was not seen, and what follows it was
    after_tap,   // a copy was seen that did not arrive
    receiver,    // it arrived, and was refused
    unknown,
  };

  rdma::Side from = rdma::Side::a;  // who sent what was lost
  What what = What::data;
  Where where = Where::after_tap;
  uint32_t first = 0;  // PSN, or TCP sequence number, of the first
  // Whose number that is (RoCE: Read Responses and acknowledgments have those of the peer), and its place, as
  // rdma::RdmaOp::end_position counts.
  rdma::Side numbered_by = rdma::Side::a;
  uint64_t place = 0;
  uint64_t packets = 0;       // at least so many were lost; 0: none, for all that is seen
  uint64_t bytes = 0;         // of their payload
  std::optional<Stamp> sent;  // the first copy of the first of them
  Stamp since;                // the same; before the tap: the first frame that shows the hole
  // Unset: the capture has one direction, so what told the sender may be in the other.
  std::optional<NoticedBy> noticed_by = NoticedBy::timeout;
  // The NAK, the Read Request, the latest repeated acknowledgment. timeout: a NAK that had no effect.
  std::optional<Stamp> noticed;
  // timeout, Read Request: for how long its sender had been idle; RNR NAK: what it asks for.
  std::optional<int64_t> timer_ns;
  std::optional<Stamp> resent;  // the first of what was sent again; unset: nothing, for all that is seen ...
  uint64_t resent_packets = 0;  // ... with it, and with what went again without need
  std::optional<Stamp> accepted;  // the copy of the first that was accepted; unset: none is known

  // From its first copy, or its first sign, until a copy was accepted, ns.
  std::optional<int64_t> delay_ns() const {
    const bool known = accepted && accepted->clock() == since.clock() && resent != since;
    return known ? std::optional(accepted->time_ns - since.time_ns) : std::nullopt;
  }
};

}  // namespace steertag::flow
