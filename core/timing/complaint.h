// Complaint: what tells a sender that a packet is missing. It is a NAK, an RNR NAK, a repeated Read
// Request, or a repeated TCP acknowledgment.
// A Complaint says which late packets it explains.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/loss.h"
#include "frame.h"
#include "rdma/op.h"

namespace steertag::timing {

// A sender acts at once on what its receiver says. The timer of a TCP sender is no shorter than this (RFC
// 6298 §2.4 asks for a second, and kernels take less), and no TCP receiver waits so long with its
// acknowledgment (RFC 9293 §3.8.6.3).
inline constexpr int64_t kFastNs = 200'000'000;

struct Complaint {
  flow::Loss::NoticedBy by = flow::Loss::NoticedBy::nak;
  uint64_t place = 0;                 // from where on something is missing, as RdmaOp::end_position counts
  uint32_t number = 0;                // of a Read Request, or what an RNR NAK refuses: its PSN ...
  rdma::Side sender = rdma::Side::a;  // ... and who sent that
  Stamp at;
  int64_t first_ns = 0;  // when it was said for the first time
  // RNR NAK: what it asks for. Read Request: for how long its Requester had been idle.
  std::optional<int64_t> timer_ns = {};
  uint64_t repeated = 0;  // of a Read Request: packets that were sent again with it

  // Its sender may have sent `late` because of it.
  bool explains(const rdma::Late& late) const;
  // Its sender goes back for it, to just that place.
  bool asks_for(const rdma::Late& late) const;
};

// Notes in `loss` what told the sender that sends `late` again. `active_ns`: when it last sent something, or
// that was acknowledged; unset: never.
void note_cause(const std::optional<Complaint>& complaint, const rdma::Late& late,
                std::optional<int64_t> active_ns, flow::Loss& loss);

// Unset where nothing is to be sent again.
std::optional<Complaint> complaint_of(const rdma::Fault& fault);

}  // namespace steertag::timing
