#include "flow/work_out.h"

#include <algorithm>

namespace steertag::flow {

namespace {

using Waits = Acceptance::Waits;

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

// The same of the Reply's first copy: where something of it came much later, it was sent when its first
// frame was seen.
int64_t replied_of(const Exchange& x) {
  const int64_t begun_ns = x.timeline.reply_begun.time_ns, done_ns = x.reply->time_ns;
  return done_ns - begun_ns < kPauseNs ? done_ns : begun_ns;
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

// A lost Response is asked for again.
Waits waits_of_reading(const Lateness& late, int64_t from_ns, int64_t to_ns) {
  const Waits asking = late.answers.waits(from_ns, to_ns), answering = late.responses.waits(from_ns, to_ns);
  return {.lost_ns = std::max(asking.lost_ns, answering.lost_ns), .refused_ns = asking.refused_ns};
}

// Whether all that its times need was captured.
bool timeable(const Exchange& x) {
  const Timeline& t = x.timeline;
  const bool doubtful = x.doubt != Doubt::none && x.doubt != Doubt::header_cut;
  return x.call && x.reply && t.begun && !t.call_late && t.call_accepted && t.reply_accepted && !doubtful &&
         (!t.last_response || t.responses_accepted) && (!t.last_write || t.writes_accepted) &&
         x.call->file == x.reply->file;
}

}  // namespace

void work_out(Exchange& x, const Lateness& late) {
  const Timeline& t = x.timeline;
  Timing& timing = x.timing;
  if (x.status == Status::no_reply && x.call && x.doubt != Doubt::frames_missing) {
    timing.unanswered_ns = std::max<int64_t>(x.connection->last_frame.time_ns - x.call->time_ns, 0);
  }
  if (!timeable(x)) {
    return;
  }
  const int64_t begin_ns = begin_of(x);
  const int64_t replied_ns = replied_of(x), end_ns = *t.reply_accepted;
  if (end_ns < begin_ns) {
    return;
  }
  timing.delivered_ns = end_ns - begin_ns;
  Phases phases(begin_ns, end_ns, timing.phases_ns);
  // Of each phase. What came before the Read Request, the Write or the Reply is of another RPC, unless that
  // was late itself.
  Waits calling, starting, reading, serving, writing, finishing, replying;
  phases.until(Phase::call, *t.call_accepted);
  calling = late.calls.waits(begin_ns, phases.now());
  if (t.first_read) {
    const int64_t called_ns = phases.now();
    phases.until(Phase::start, *t.first_read);
    const int64_t asked_ns = phases.now();
    phases.until(Phase::read, t.responses_accepted.value_or(*t.first_read));
    starting = t.read_late ? late.answers.waits(called_ns, asked_ns) : Waits{};
    reading = waits_of_reading(late, asked_ns, phases.now());
  }
  const int64_t idle_ns = phases.now();
  // What was written was sent before the Reply, whatever the tap saw of it.
  phases.until(Phase::serve, std::min(t.first_write.value_or(INT64_MAX), replied_ns));
  serving =
      (t.first_write ? t.write_late : t.reply_late) ? late.answers.waits(idle_ns, phases.now()) : Waits{};
  if (t.first_write) {
    const int64_t writing_ns = phases.now();
    phases.until(Phase::write, *t.writes_accepted);
    const int64_t written_ns = phases.now();
    phases.until(Phase::finish, replied_ns);
    writing = late.answers.waits(writing_ns, written_ns);
    finishing = late.answers.waits(written_ns, phases.now());
  }
  replying = late.answers.waits(phases.now(), end_ns);
  phases.until(Phase::reply, end_ns);

  timing.recovery_ns = std::min(calling.lost_ns + starting.lost_ns + reading.lost_ns + serving.lost_ns +
                                    writing.lost_ns + finishing.lost_ns + replying.lost_ns,
                                *timing.delivered_ns);
  const auto left = [&](Phase phase, const Waits& waits) {
    return timing.phases_ns[static_cast<size_t>(phase)] - waits.lost_ns - waits.refused_ns;
  };
  const std::array<int64_t, 4> parts = {
      left(Phase::start, starting) + left(Phase::serve, serving) + left(Phase::finish, finishing) +
          left(Phase::reply, replying) + calling.refused_ns,
      left(Phase::call, calling) + t.requester_ns + reading.refused_ns + serving.refused_ns +
          writing.refused_ns + finishing.refused_ns + replying.refused_ns,
      timing.recovery_ns, left(Phase::read, reading) - t.requester_ns + left(Phase::write, writing)};
  timing.waited_on = static_cast<WaitedOn>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

}  // namespace steertag::flow
