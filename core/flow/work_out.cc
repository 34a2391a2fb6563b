#include "flow/work_out.h"

#include <algorithm>

namespace steertag::flow {

namespace {

// A Send whose packets come this far apart was interrupted.
constexpr int64_t kPauseNs = 1'000'000;

// Where nothing was lost of the Call, its time counts from the frame that completed it, as latency does;
// otherwise from its first frame.
int64_t begin_of(const Exchange& x) {
  const Timeline& t = x.timeline;
  const int64_t done_ns = x.call->time_ns;
  const bool at_once = t.call_accepted == done_ns && done_ns - t.call_begun.time_ns < kPauseNs;
  return at_once ? done_ns : std::min(t.call_begun.time_ns, done_ns);
}

// One phase after another; none begins before the last has ended, nor after the end of all.
class Phases {
 public:
  Phases(int64_t begin_ns, int64_t end_ns, std::array<int64_t, kPhases>& into)
      : now_(begin_ns), end_(end_ns), into_(into) {}
  void until(Phase phase, int64_t ns) {
    const int64_t then = std::clamp(ns, now_, end_);
    into_[static_cast<size_t>(phase)] = then - now_;
    now_ = then;
  }
  int64_t now() const { return now_; }

 private:
  int64_t now_, end_;
  std::array<int64_t, kPhases>& into_;
};

// Whether frames that its times need may be missing.
bool doubtful(const Exchange& x) {
  return x.doubt != Doubt::none && x.doubt != Doubt::header_cut;
}

}  // namespace

void work_out(Exchange& x, const Lateness& late) {
  const Timeline& t = x.timeline;
  Timing& timing = x.timing;
  if (x.status == Status::no_reply && x.call && x.doubt != Doubt::frames_missing) {
    timing.unanswered_ns = std::max<int64_t>(x.connection->last_frame.time_ns - x.call->time_ns, 0);
  }
  if (!x.call || !x.reply || !t.begun || t.call_late || !t.call_accepted || !t.reply_accepted ||
      doubtful(x) || x.call->file != x.reply->file) {
    return;
  }
  const int64_t begin_ns = begin_of(x);
  const int64_t end_ns = *t.reply_accepted;
  if (end_ns < begin_ns) {
    return;
  }
  timing.delivered_ns = end_ns - begin_ns;
  Phases phases(begin_ns, end_ns, timing.phases_ns);
  phases.until(Phase::call, *t.call_accepted);
  const int64_t called_ns = phases.now();
  Acceptance::Waits reading;
  if (t.first_read) {
    phases.until(Phase::start, *t.first_read);
    const int64_t asked_ns = phases.now();
    phases.until(Phase::read, t.responses_accepted.value_or(*t.first_read));
    const Acceptance::Waits asking = late.answers.waits(asked_ns, phases.now());
    reading = late.responses.waits(asked_ns, phases.now());
    reading.lost_ns = std::max(reading.lost_ns, asking.lost_ns);  // a lost Response is asked for again
    reading.refused_ns = asking.refused_ns;
  }
  // What was written was sent before the Reply, whatever the tap saw of it.
  phases.until(Phase::serve, std::min(t.first_write.value_or(INT64_MAX), x.reply->time_ns));
  const int64_t answering_ns = phases.now();
  if (t.first_write) {
    phases.until(Phase::write, *t.last_write);
    phases.until(Phase::finish, x.reply->time_ns);
  }
  phases.until(Phase::reply, end_ns);

  const Acceptance::Waits calling = late.calls.waits(begin_ns, called_ns);
  const Acceptance::Waits answering = late.answers.waits(answering_ns, end_ns);
  timing.recovery_ns = std::min(calling.lost_ns + reading.lost_ns + answering.lost_ns, *timing.delivered_ns);
  const auto spent = [&](Phase phase) { return timing.phases_ns[static_cast<size_t>(phase)]; };
  const int64_t requester_ns = t.requester_ns + reading.refused_ns + answering.refused_ns;
  const std::array<int64_t, 4> parts = {
      spent(Phase::start) + spent(Phase::serve) + spent(Phase::finish) + calling.refused_ns, requester_ns,
      timing.recovery_ns,
      spent(Phase::read) + spent(Phase::write) - reading.lost_ns - t.requester_ns - reading.refused_ns -
          (t.first_write ? late.answers.waits(answering_ns, answering_ns + spent(Phase::write)).lost_ns : 0)};
  timing.waited_on = static_cast<WaitedOn>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

}  // namespace steertag::flow
