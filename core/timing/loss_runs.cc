#include "timing/loss_runs.h"

#include <algorithm>

namespace steertag::timing {
namespace {

using flow::Loss;
using NoticedBy = Loss::NoticedBy;

void forget_packets(Loss& loss) {
  loss.packets = loss.bytes = 0;
}

// Another of its packets is sent again.
void go_on(LossRun& run, const rdma::Late& late, uint64_t accepted) {
  Loss& loss = run.loss;
  ++loss.resent_packets;
  // Of what RoCE sends again after a NAK the receiver may have discarded all but the first.
  const bool all = loss.noticed_by == NoticedBy::duplicate_acks ||
                   (loss.noticed_by == NoticedBy::timeout && !loss.noticed);
  const bool lost =
      loss.where == Loss::Where::before_tap ? !late.again || late.begin < run.skipped_until : all;
  if (lost && loss.what == Loss::What::data && loss.packets != 0 && late.begin >= accepted) {
    ++loss.packets;
    loss.bytes += late.bytes;
  }
}

// What is sent again was acknowledged, all before `accepted`: that was lost, or still on its way.
void note_acknowledgment(const rdma::Late& late, const LossRuns::Way& way, uint64_t accepted, const Stamp& at,
                         Loss& loss) {
  forget_packets(loss);
  if (late.at.time_ns - at.time_ns > way.trip_ns) {
    constexpr uint32_t kPsns = 0xFFFFFF;
    const auto ahead = static_cast<uint32_t>(accepted - late.begin);
    loss.packets = 1;
    loss.what = Loss::What::ack;
    loss.from = rdma::other(late.from);
    loss.first = way.tcp ? late.number + ahead : (late.number + ahead - 1) & kPsns;
    loss.place = accepted;
    loss.sent = at;
    loss.since = at;
  }
}

}  // namespace

void LossRuns::fresh(const rdma::RdmaOp& op) {
  const Stamp& at = op.frames.back();
  active_ = fresh_ = at;
  fresh_end_ = op.end_position;
  fresh_bytes_ = op.payload_length;
  if (!(at == latest_) && captured_before(latest_, at)) {
    running_ = false;
  }
}

void LossRuns::complain(const Complaint& what) {
  note_unheeded();
  const bool again = complaint && complaint->place == what.place && complaint->by == what.by;
  const int64_t first_ns = again ? complaint->first_ns : what.at.time_ns;
  complaint = what;
  complaint->first_ns = first_ns;
}

// RoCE goes back, and sends all again from there; TCP sends again what it takes for lost.
void LossRuns::late(const rdma::Late& late, bool at_once, const Way& way) {
  const bool asked_for = complaint && complaint->asks_for(late);
  if (running_ && !asked_for && (way.tcp ? late.begin == next_ : late.begin >= next_)) {
    go_on(runs_.back(), late, accepted);
    discarded.go_on(late, runs_.back());
    skipped.go_on(late);
    const bool for_nothing = latest().packets == 0 && latest().noticed_by == NoticedBy::timeout;
    if (!way.tcp && late.begin > next_ && !for_nothing) {
      skipped.skip(next_, next_ - 1, late);
    }
  } else {
    begin(late, way);
    // No timer is that short: the sender, or who captured it, has it twice.
    const bool too_soon =
        way.tcp ? late.since && late.at.time_ns - late.since->time_ns < kNoTimerNs : at_once;
    if (too_soon && latest().noticed_by == NoticedBy::timeout) {
      forget_packets(latest());
    }
    holes |= latest().where == Loss::Where::before_tap && latest().packets != 0;
  }
  next_ = std::max(late.end, late.asks_until);
  latest_ = late.at;
  active_ = late.at;
}

void LossRuns::begin(const rdma::Late& late, const Way& way) {
  Loss loss;
  loss.from = late.from;
  loss.first = late.number;
  loss.numbered_by = late.of_reads ? rdma::other(late.from) : late.from;
  loss.place = late.begin;
  loss.where = late.again ? Loss::Where::after_tap : Loss::Where::before_tap;
  loss.packets = 1;
  loss.bytes = late.bytes;
  loss.since = late.since.value_or(late.of_reads && active_.number != 0 ? active_ : late.at);
  loss.sent = late.again ? late.since : std::nullopt;
  loss.resent = late.at;
  loss.resent_packets = 1;
  note_cause(complaint, late, active_.number != 0 ? std::optional(active_ns()) : std::nullopt, loss);
  if (loss.noticed_by == NoticedBy::read_retry && loss.noticed &&
      loss.noticed->time_ns < loss.since.time_ns) {  // its first copy is not remembered
    loss.since = *loss.noticed;
  }
  bool hole = discarded.lacks(late, runs_, complaint, loss);
  uint64_t skipped_until = way.tcp ? 0 : skipped.begin(late, complaint);
  if (late.begin < accepted) {
    skipped_until = 0;
  } else if (skipped_until != 0) {
    loss.where = Loss::Where::before_tap;
    loss.packets = 1;
    loss.bytes = late.bytes;
    hole = true;
  }
  if (late.again && late.begin < accepted) {
    note_acknowledgment(late, way, accepted, accepted_at_, loss);
  }
  runs_.push_back({loss, late.begin, late.end, hole, skipped_until, {}});
  discarded.begin();
  running_ = true;
  if (complaint && complaint->by != NoticedBy::duplicate_acks) {
    complaint.reset();
  }
  if (runs_.size() > kMaxOpen) {
    over.push_back(runs_.front().loss);
    runs_.erase(runs_.begin());
  }
}

void LossRuns::accept(uint64_t position, const Stamp& at, int64_t trip_ns) {
  if (position > accepted) {
    accepted = position;
    accepted_at_ = at;
    if (complaint && complaint->by == NoticedBy::nak && complaint->place < position) [[unlikely]] {
      complaint.reset();  // it has what it lacked
    }
  }
  if (any()) [[unlikely]] {
    resolve(position, {at.time_ns, trip_ns});
  }
}

void LossRuns::accept_all() {
  if (any()) [[unlikely]] {
    const auto last = std::max_element(runs_.begin(), runs_.end(), [](const LossRun& x, const LossRun& y) {
      return x.loss.resent->time_ns < y.loss.resent->time_ns;
    });
    resolve(UINT64_MAX, {last->loss.resent->time_ns, 0});
  }
}

void LossRuns::resolve(uint64_t position, const Said& said) {
  for (LossRun& run : runs_) {
    Loss& loss = run.loss;
    if (loss.accepted || run.begin >= position) {
      continue;
    }
    if (const Loss* const sent_for = meant(runs_, run, said)) {
      loss.accepted = sent_for->resent;
    } else {  // an earlier copy had got through
      loss.accepted = loss.resent;
      if ((loss.where == Loss::Where::after_tap || run.skipped_until != 0) && loss.what == Loss::What::data &&
          loss.noticed_by == NoticedBy::timeout) {
        forget_packets(loss);
      }
    }
  }
  // The latest may go on.
  size_t kept = 0;
  for (size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].loss.accepted && !(running_ && i + 1 == runs_.size())) {
      discarded.end(runs_[i]);
      over.push_back(runs_[i].loss);
    } else {
      runs_[kept++] = runs_[i];
    }
  }
  runs_.resize(kept);
}

// It was sent again since the acknowledgment did not get through, or too early.
void LossRuns::received_twice(Side by, uint64_t begin, uint64_t end) {
  for (LossRun& run : runs_) {
    Loss& loss = run.loss;
    const bool told = run.begin >= begin && run.begin < end;
    const bool seen = loss.where == Loss::Where::after_tap || run.skipped_until != 0;
    if (!told || loss.what == Loss::What::ack || !seen) {
      continue;
    }
    forget_packets(loss);
    if (loss.noticed_by == NoticedBy::timeout && loss.timer_ns.value_or(0) >= kFastNs) {
      loss.packets = 1;
      loss.what = Loss::What::ack;
      loss.where = Loss::Where::before_tap;
      loss.from = by;
      loss.first += static_cast<uint32_t>(end - run.begin);
      loss.sent.reset();
    }
  }
}

// What an RNR NAK refused was not sent again since.
void LossRuns::note_unheeded() {
  if (!complaint || complaint->by != NoticedBy::rnr_nak) [[likely]] {
    return;
  }
  Loss loss;
  loss.from = loss.numbered_by = complaint->sender;
  loss.where = Loss::Where::receiver;
  loss.first = complaint->number;
  loss.place = complaint->place;
  loss.packets = 1;
  loss.since = complaint->at;
  loss.noticed_by = complaint->by;
  loss.noticed = complaint->at;
  loss.timer_ns = complaint->timer_ns;
  const auto before = std::find_if(runs_.rbegin(), runs_.rend(),
                                   [&](const LossRun& run) { return run.begin == complaint->place; });
  if (before != runs_.rend()) {
    loss.sent = before->loss.sent;
    loss.since = before->loss.since;
    loss.bytes = before->loss.bytes;
  } else if (fresh_end_ == complaint->place + 1) {
    loss.sent = fresh_;
    loss.since = fresh_;
    loss.bytes = fresh_bytes_;
  }
  over.push_back(loss);
  complaint.reset();
}

void LossRuns::finish() {
  running_ = false;
  note_unheeded();
  for (const LossRun& run : runs_) {
    over.push_back(run.loss);
  }
  runs_.clear();
}

}  // namespace steertag::timing
