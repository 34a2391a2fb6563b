#include "timing/complaint.h"

#include <algorithm>

#include "rdma/roce/nak.h"

namespace steertag::timing {
namespace {

using flow::Loss;
using NoticedBy = Loss::NoticedBy;

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

void note_cause(const std::optional<Complaint>& complaint, const rdma::Late& late,
                std::optional<int64_t> active_ns, Loss& loss) {
  if (complaint && complaint->explains(late)) {
    loss.noticed_by = complaint->by;
    loss.noticed = complaint->at;
    loss.timer_ns = complaint->timer_ns;
    loss.resent_packets += complaint->repeated;
    loss.where = loss.noticed_by == NoticedBy::rnr_nak ? Loss::Where::receiver : loss.where;
    if (loss.noticed_by == NoticedBy::nak && complaint->place < late.begin && late.again) {
      loss.packets = loss.bytes = 0;  // it need not be what the receiver lacked
    }
  } else if (late.of_reads && late.again) {  // the answer to one of several Read Requests
    loss.noticed_by = NoticedBy::read_retry;
    loss.packets = loss.bytes = 0;
  } else if (active_ns && late.again) {
    loss.timer_ns = std::max<int64_t>(late.at.time_ns - *active_ns, 0);
    if (complaint && complaint->by == NoticedBy::nak && complaint->place == late.begin) {
      loss.noticed = complaint->at;  // in vain
    }
  }
}

}  // namespace steertag::timing
