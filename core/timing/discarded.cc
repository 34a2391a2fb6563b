#include "timing/discarded.h"

#include <algorithm>

namespace steertag::timing {

void Discarded::go_on(const rdma::Late& late, LossRun& run) const {
  run.end = std::max(run.end, late.end);
  if (late.begin < acknowledges_) {
    run.passed = std::min(run.passed, late.begin);
  }
}

bool Discarded::contains(const rdma::Late& late, const std::vector<LossRun>& runs) const {
  if (!late.of_reads || !late.again) {
    return false;
  }
  bool behind_hole = false;
  const auto last = [&](const Place& run) {  // the last that it went again with
    behind_hole |=
        run.begin < late.begin && run.end != 0 && late.since && captured_before(*late.since, run.resent);
    return run.begin <= late.begin && late.begin < run.end;
  };
  const auto again =
      std::find_if(runs.rbegin(), runs.rend(), [&](const LossRun& run) { return last(place_of(run)); });
  return again != runs.rend() ? again->passed <= late.begin
         : last(over_)        ? over_.passed <= late.begin
                              : behind_hole;
}

}  // namespace steertag::timing
