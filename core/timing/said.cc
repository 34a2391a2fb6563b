#include "timing/said.h"

namespace steertag::timing {

bool said_of_latest(const Said& said, int64_t before_ns, int64_t latest_ns, int64_t lacked_ns) {
  constexpr int64_t kMany = 64;
  const int64_t took_ns = said.at_ns - latest_ns;
  if (took_ns < 0 || took_ns >= said.trip_ns) {
    return took_ns >= 0;
  }
  const bool lacked = lacked_ns >= said.trip_ns && before_ns < lacked_ns - said.trip_ns;
  return lacked ||
         (took_ns >= said.trip_ns - said.trip_ns / 4 && (said.at_ns - before_ns) / kMany >= said.trip_ns);
}

const flow::Loss* meant(const std::vector<LossRun>& runs, const LossRun& run, const Said& said) {
  const flow::Loss *latest = nullptr, *before = nullptr;
  for (const LossRun& other : runs) {
    const int64_t at_ns = other.loss.resent->time_ns;
    if (other.begin == run.begin && at_ns <= said.at_ns) {
      latest = &other.loss;
      before = at_ns <= said.at_ns - said.trip_ns ? latest : before;
    }
  }
  if (latest == before) {
    return before;
  }
  const int64_t before_ns = (before != nullptr ? *before->resent : run.loss.since).time_ns;
  const int64_t lacked_ns = latest->noticed ? latest->noticed->time_ns : INT64_MIN;
  return said_of_latest(said, before_ns, latest->resent->time_ns, lacked_ns) ? latest : before;
}

}  // namespace steertag::timing
