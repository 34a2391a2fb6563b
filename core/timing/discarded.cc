#include "timing/discarded.h"

#include <algorithm>

namespace steertag::timing {
namespace {

// A Requester that asks again sooner does so for another reason than that its timer ran out: most run for
// 67 ms and longer.
constexpr int64_t kTimerNs = 50'000'000;

}  // namespace

void Discarded::asks(const rdma::Late& request) {
  if (begun_ || request.begin < asked_.end) {
    before_ = asked_;
    asked_ = {request.begin, 0, request.at, request.at};
    begun_ = false;
  }
  asked_.end = std::max(request.asks_until, request.begin + 1);
  asked_.last = request.at;
}

void Discarded::go_on(const rdma::Late& late, LossRun& run) {
  if (late.begin == run.end || late.previous < run.end) {
    run.end = late.end;
    const bool passed = late.begin < acknowledged_.before && late.at.same_tap(acknowledged_.at);
    if (passed && run.passed.place == 0) {
      run.passed = {late.begin, acknowledged_.at.time_ns};
    }
  }
  acknowledged_.before = 0;
}

Discarded::Judged Discarded::judge(const rdma::Late& late, const std::vector<LossRun>& runs,
                                   const std::optional<Complaint>& complaint) const {
  Place again;                              // the latest run that it went again with
  std::optional<Stamp> since = late.since;  // the copy before this
  bool behind_hole = false;
  const auto look = [&](const Place& run) {
    if (run.begin <= late.begin && late.begin < run.end) {
      again = run;
      since = run.resent;  // or soon after it
      behind_hole = false;
    } else if (run.hole && run.begin < late.begin && (late.begin == run.end || late.previous < run.end)) {
      behind_hole |= since && since->same_tap(run.resent) && captured_before(*since, run.resent);
    }
  };
  look(over_);
  for (const LossRun& run : runs) {
    look(place_of(run));
  }
  // What it went again with was a hole, too: then no copy was accepted.
  const std::optional<Stamp>& lacked = again.hole ? late.since : since;
  if (behind_hole || (complaint && complaint->place < late.begin && complaint->explains(late))) {
    const bool asked = before_.begin <= late.begin && late.begin < before_.end;
    const bool answered =
        !since || !since->same_tap(before_.first) || !captured_before(*since, before_.first);
    const bool soon = asked_.first.time_ns - before_.last.time_ns < kTimerNs;
    return {asked && !answered && !soon ? Why::unanswered : Why::discarded, lacked};
  }
  const bool passed = again.hole && again.passed.place == late.begin && again.resent.same_tap(late.at) &&
                      late.at.time_ns - again.passed.at_ns < kFastNs;
  return {passed ? Why::on_its_way : Why::lost, lacked};
}

// Those that followed `hole` and went again before it was mended. `since`: from where on it was there; unset:
// always.
void Discarded::excuse(std::vector<LossRun>& runs, uint64_t hole, const std::optional<Stamp>& since) {
  for (LossRun& run : runs) {
    const std::optional<Stamp>& sent = run.loss.sent;
    const bool behind = !since || (sent && since->same_tap(*sent) && captured_before(*since, *sent));
    if (run.begin > hole && sent && behind && run.loss.where != flow::Loss::Where::before_tap) {
      run.loss.packets = run.loss.bytes = 0;
    }
  }
}

bool Discarded::lacks(const rdma::Late& late, std::vector<LossRun>& runs,
                      const std::optional<Complaint>& complaint, flow::Loss& loss) const {
  if (loss.packets == 0 || !late.of_reads) {
    return loss.packets != 0;
  }
  if (!late.again) {
    excuse(runs, late.begin, std::nullopt);
    return true;
  }
  const auto [why, lacked] = judge(late, runs, complaint);
  if (why == Why::unanswered) {
    loss.where = flow::Loss::Where::unknown;
  } else if (why != Why::lost) {
    loss.packets = loss.bytes = 0;
  }
  if (why != Why::on_its_way && lacked) {
    excuse(runs, late.begin, lacked);
  }
  return why != Why::on_its_way;
}

}  // namespace steertag::timing
