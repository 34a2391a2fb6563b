#include "timing/skipped.h"

#include <algorithm>
#include <utility>

namespace steertag::timing {

void Skipped::note(std::vector<Stretch>& stretches, const Stretch& one) {
  if (stretches.size() == kMost) {
    stretches.erase(stretches.begin());
  }
  stretches.push_back(one);
}

void Skipped::asks(const rdma::Late& request) {
  note(asked_, {request.begin, std::max(request.asks_until, request.end)});
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
  note(skipped_, {from, end});
}

uint64_t Skipped::begin(const rdma::Late& late, const std::optional<Complaint>& complaint) {
  using NoticedBy = flow::Loss::NoticedBy;
  const NoticedBy asked_by = late.of_reads ? NoticedBy::read_retry : NoticedBy::nak;
  if (complaint && complaint->by == asked_by && complaint->place < late.begin && complaint->explains(late)) {
    skip(complaint->place, late.begin, late);
  }
  if (!late.again) {
    return 0;
  }
  const auto skipped = std::find_if(skipped_.begin(), skipped_.end(),
                                    [&](const Stretch& stretch) { return stretch.holds(late.begin); });
  return skipped == skipped_.end() ? 0 : std::exchange(skipped->end, late.begin);
}

}  // namespace steertag::timing
