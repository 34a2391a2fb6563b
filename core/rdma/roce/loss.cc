#include "rdma/roce/loss.h"

#include <algorithm>

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {
namespace {

bool lies_in(uint32_t psn, uint32_t begin, uint32_t end) {
  return psn_distance(psn, begin) >= 0 && psn_distance(psn, end) < 0;
}

}  // namespace

Loss::Hole Loss::add(uint32_t begin, uint32_t end, const Stamp& at, const std::optional<Stamp>& proof) {
  const auto packets = static_cast<uint64_t>(std::max(psn_distance(end, begin), 0));
  report(missing_.add(from_, {begin, end, packets, at, proof}));
  if (!holes_.empty() && holes_.back().end == begin) {
    holes_.back().end = end;
    return Hole::goes_on;
  }
  if (holes_.size() == kMaxHoles) {
    holes_.erase(holes_.begin());
  }
  holes_.push_back({begin, end});
  return Hole::another;
}

Loss::Place Loss::find(uint32_t psn) const {
  const bool in_hole = std::any_of(holes_.begin(), holes_.end(),
                                   [=](const Extent& hole) { return lies_in(psn, hole.begin, hole.end); });
  return in_hole ? Place::in_hole : Place::elsewhere;
}

void Loss::came_late(uint32_t psn) {
  const auto hole = std::find_if(holes_.begin(), holes_.end(),
                                 [=](const Extent& h) { return lies_in(psn, h.begin, h.end); });
  hole->begin = psn_add(psn, 1);
  missing_.shorten(psn, hole->begin);
}

// A Read may take half of all PSNs at once.
void Loss::forget_far_from(uint32_t expected) {
  while (!holes_.empty()) {
    const int32_t distance = psn_distance(holes_.front().end, expected);
    if (distance >= kFarBehind && distance <= 0) [[likely]] {
      return;
    }
    holes_.erase(holes_.begin());
  }
}

void Loss::report(std::optional<Anomaly> missing) {
  if (missing && missing->count > icrcs_.dropped(static_cast<uint32_t>(missing->expected),
                                                 static_cast<uint32_t>(missing->found))) {
    listener_.on_anomaly(*missing);
  }
}

}  // namespace steertag::rdma::roce
