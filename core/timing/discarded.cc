#include "timing/discarded.h"

#include <algorithm>

namespace steertag::timing {

void Discarded::asks(const rdma::Late& request) {
  if (request.begin < asked_.end) {
    before_ = asked_;
    asked_.end = 0;
  }
  if (asked_.end == 0) {
    asked_.begin = request.begin;
    asked_.first = request.at;
  }
  asked_.end = std::max(request.asks_until, request.begin + 1);
  asked_.last = request.at;
}

void Discarded::go_on(const rdma::Late& late, LossRun& run) {
  if (late.previous < run.end) {
    run.end = late.end;
    const bool passed = late.begin < acknowledged_.before && late.at.same_tap(acknowledged_.at);
    if (passed && run.passed.place == 0) {
      run.passed = {late.begin, acknowledged_.at.time_ns};
    }
  }
  acknowledged_.before = 0;
}

Discarded::Judged Discarded::judge(const rdma::Late& late, const std::vector<LossRun>& runs,
                                   const std::optional<Complaint>& complaint, int64_t trip_ns) const {
  Place again;                              // the latest run that it went again with
  std::optional<Stamp> since = late.since;  // the copy before this
  bool behind_hole = false;
  const auto look = [&](const Place& run) {
    if (run.begin <= late.begin && late.begin < run.end) {
      again = run;
      since = run.resent;  // or soon after it
      behind_hole = false;
    } else if (run.hole && run.begin < late.begin && late.previous < run.end && since &&
               since->same_tap(run.resent)) {
      behind_hole |= captured_before(*since, run.resent);
    }
  };
  look(over_);
  for (const LossRun& run : runs) {
    look(place_of(run));
  }
  const bool asked = before_.begin <= late.begin && late.begin < before_.end && since;
  if (asked && captured_before(*since, before_.first) &&
      asked_.first.time_ns - before_.last.time_ns >= trip_ns) {
    return {Why::unanswered, since};
  }
  if (behind_hole || (complaint && complaint->place < late.begin && complaint->explains(late))) {
    return {Why::discarded, since};
  }
  const bool passed = again.hole && again.passed.place == late.begin && again.resent.same_tap(late.at) &&
                      late.at.time_ns - again.passed.at_ns < kFastNs;
  return {passed ? Why::on_its_way : Why::lost, since};
}

bool Discarded::lacks(const rdma::Late& late, std::vector<LossRun>& runs,
                      const std::optional<Complaint>& complaint, int64_t trip_ns, flow::Loss& loss) const {
  if (loss.packets == 0 || !late.of_reads || !late.again) {
    return loss.packets != 0;
  }
  const auto [why, since] = judge(late, runs, complaint, trip_ns);
  if (why == Why::on_its_way) {
    loss.packets = loss.bytes = 0;
    return false;
  }
  if (why == Why::unanswered) {
    loss.where = flow::Loss::Where::unknown;
  } else if (why == Why::discarded) {
    loss.packets = loss.bytes = 0;
  }
  for (LossRun& run : runs) {  // that followed this hole, and went again before it was mended
    const std::optional<Stamp>& sent = run.loss.sent;
    if (run.begin > late.begin && since && sent && since->same_tap(*sent) && captured_before(*since, *sent)) {
      run.loss.packets = run.loss.bytes = 0;
    }
  }
  return true;
}

}  // namespace steertag::timing
