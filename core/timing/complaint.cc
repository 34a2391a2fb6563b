#include "timing/complaint.h"

#include <array>

namespace steertag::timing {
namespace {

using NoticedBy = flow::Loss::NoticedBy;

// IBTA vol. 1 §9.7.5.2.8: the timer field of an RNR NAK, in hundredths of a millisecond.
int64_t rnr_timer_ns(uint8_t field) {
  constexpr std::array<uint32_t, 32> kHundredths = {
      65536, 1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,   192,
      256,   384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return int64_t{kHundredths[field % kHundredths.size()]} * 10'000;
}

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
    made.timer_ns = rnr_timer_ns(fault.code);
    return made;
  }
  return fault.kind == rdma::Fault::Kind::nak_sequence ? std::optional(made) : std::nullopt;
}

}  // namespace steertag::timing
