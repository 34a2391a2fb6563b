#include "timing/skipped.h"

#include <algorithm>

#include "timing/said.h"

namespace steertag::timing {

void Skipped::note(std::vector<Stretch>& stretches, const Stretch& one) {
  if (stretches.size() == kMost) {
    stretches.erase(stretches.begin());
  }
  stretches.push_back(one);
}

void Skipped::asks(const rdma::Late& request) {
  note(asked_, {request.begin, std::max(request.asks_until, request.end), request.at.time_ns});
}

void Skipped::forget(const rdma::Late& late) {
  for (Stretch& stretch : skipped_) {
    if (stretch.begin == late.begin) {
      stretch.begin = std::min(late.end, stretch.end);
    } else if (stretch.holds(late.begin)) {
      stretch.end = late.begin;
    }
  }
  std::erase_if(skipped_, [](const Stretch& stretch) { return stretch.begin == stretch.end; });
}

void Skipped::skip(uint64_t from, uint64_t near, const rdma::Late& late) {
  uint64_t end = late.begin;
  if (late.of_reads) {
    const auto asked = std::find_if(asked_.rbegin(), asked_.rend(),
                                    [&](const Stretch& request) { return request.holds(from); });
    if (asked == asked_.rend() || !(asked->holds(near) || asked->holds(late.begin))) {
      return;
    }
    end = std::min(end, asked->end);
  }
  note(skipped_, {from, end, late.at.time_ns});
}

uint64_t Skipped::begin(const rdma::Late& late, const std::optional<Complaint>& complaint) {
  using NoticedBy = flow::Loss::NoticedBy;
  const NoticedBy asked_by = late.of_reads ? NoticedBy::read_retry : NoticedBy::nak;
  if (complaint && complaint->by == asked_by && complaint->place < late.begin && complaint->explains(late)) {
    skip(complaint->place, late.begin, late);
  }
  uint64_t until = 0;
  for (const Stretch& stretch : skipped_) {
    const bool missed = (complaint && complaint->at.time_ns >= stretch.noted_ns) ||
                        late.at.time_ns - stretch.noted_ns >= kNoTimerNs;
    if (late.again && missed && stretch.holds(late.begin)) {
      until = std::max(until, stretch.end);
    }
  }
  forget(late);
  return until;
}

}  // namespace steertag::timing
