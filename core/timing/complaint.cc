#include "timing/complaint.h"

#include "rdma/roce/nak.h"

namespace steertag::timing {
namespace {

using NoticedBy = flow::Loss::NoticedBy;

}  // namespace

// One acknowledgment may show several holes (RFC 6675), none of what is sent behind it. A complaint that
// nobody acts upon was lost itself.
bool Complaint::explains(const rdma::Late& late) const {
  const bool sent_before = !late.since || late.since->time_ns <= at.time_ns;
  const bool soon = late.at.time_ns - at.time_ns < kFastNs;
  const bool acted = by == NoticedBy::duplicate_acks ? soon && sent_before
                     : by == NoticedBy::nak          ? soon
                                                     : true;
  return place <= late.begin && acted;
}

bool Complaint::asks_for(const rdma::Late& late) const {
  return place == late.begin && by != NoticedBy::duplicate_acks;
}

std::optional<Complaint> complaint_of(const rdma::Fault& fault) {
  Complaint made{.place = fault.place, .at = fault.at};
  if (fault.kind == rdma::Fault::Kind::rnr) {
    made.by = NoticedBy::rnr_nak;
    made.number = fault.psn;
    made.sender = rdma::other(fault.from);
    made.timer_ns = rdma::roce::rnr_timer_ns(fault.code);
    return made;
  }
  return fault.kind == rdma::Fault::Kind::nak_sequence ? std::optional(made) : std::nullopt;
}

}  // namespace steertag::timing
