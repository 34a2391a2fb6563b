#include "timing/unacknowledged.h"

#include <algorithm>
#include <span>

#include "flow/exchange.h"
#include "timing/acceptance.h"
#include "timing/phases.h"

namespace steertag::timing {
namespace {

// What was late meanwhile, of what its two ends sent.
struct Lateness {
  const Acceptance& calls;      // of the Requester
  const Acceptance& responses;  // of the Requester: its Read Responses
  const Acceptance& answers;    // of the Responder
};

// A Send whose packets come this far apart was interrupted.
constexpr int64_t kPauseNs = 1'000'000;

// Where nothing was lost of the Call, its time counts from the frame that completed it, as latency does;
// otherwise from its first frame.
int64_t begin_of(const Exchange& x) {
  const Timeline& t = x.timeline;
  const int64_t done_ns = x.call->time_ns;
  const bool at_once = t.call_accepted->time_ns == done_ns && done_ns - t.call_begun.time_ns < kPauseNs;
  return at_once ? done_ns : std::min(t.call_begun.time_ns, done_ns);
}

// The same of the Reply's first copy: where some of it came much later, it was sent with its first frame.
int64_t replied_of(const Exchange& x) {
  const int64_t begun_ns = x.timeline.reply_begun.time_ns, done_ns = x.reply->time_ns;
  return done_ns - begun_ns < kPauseNs ? done_ns : begun_ns;
}

Waits waits(const Acceptance& sends, const Span& span) {
  return sends.waiting().waits(span.begin_ns, span.end_ns);
}

// Before something that was not late its sender may still have waited for room.
Waits waits_before(const Acceptance& sends, const Span& span, bool late) {
  return late ? waits(sends, span) : Waits{.refused_ns = sends.waiting().shut_ns(span.begin_ns, span.end_ns)};
}

// A lost Response is asked for again.
Waits waits_of_reading(const Lateness& late, const Span& span) {
  const Waits asking = waits(late.answers, span), answering = waits(late.responses, span);
  return {.lost_ns = std::max(asking.lost_ns, answering.lost_ns), .refused_ns = asking.refused_ns};
}

// Whether all that its times need was captured.
bool timeable(const Exchange& x) {
  const Timeline& t = x.timeline;
  const bool doubtful = x.doubt != Doubt::none && x.doubt != Doubt::header_cut;
  return x.call && x.reply && t.begun && !t.call_late && t.call_accepted && t.reply_accepted && !doubtful &&
         (!t.last_response || t.responses_accepted) && (!t.last_write || t.writes_accepted) &&
         x.call->clock() == x.reply->clock();
}

Waits sum(std::span<const Waits> all) {
  Waits sum;
  for (const Waits& one : all) {
    sum.lost_ns += one.lost_ns;
    sum.refused_ns += one.refused_ns;
  }
  return sum;
}

// Where a TCP window was closed, nothing was sent that its receiver could refuse.
void note_recovery(Exchange& x, int64_t lost_ns, int64_t refused_ns) {
  const bool refuses = x.connection->transport != rdma::Transport::iwarp;
  x.timing.refused_ns = refuses ? std::min(refused_ns, *x.timing.delivered_ns - lost_ns) : 0;
  x.timing.recovery_ns = lost_ns + x.timing.refused_ns;
}

// Fills in Exchange::timing, but for what concerns other Calls: attempts, credits.
void work_out(Exchange& x, const Lateness& late) {
  const Timeline& t = x.timeline;
  Timing& timing = x.timing;
  if (x.status == Status::no_reply && x.call && x.doubt != Doubt::frames_missing) {
    timing.unanswered_ns = std::max<int64_t>(x.connection->until_ns() - x.call->time_ns, 0);
  }
  if (!timeable(x)) {
    return;
  }
  const int64_t begin_ns = begin_of(x);
  const int64_t replied_ns = replied_of(x), end_ns = t.reply_accepted->time_ns;
  if (end_ns < begin_ns) {
    return;
  }
  timing.delivered_ns = end_ns - begin_ns;
  Phases phases(begin_ns, end_ns, timing.phases_ns);
  // Of each phase. What was late before the Read Request, the Write or the Reply is of another RPC, unless
  // that was late itself.
  std::array<Waits, kPhases> all_waits{};
  const auto of = [&](Phase phase) -> Waits& { return all_waits[static_cast<size_t>(phase)]; };
  of(Phase::call) = waits(late.calls, phases.until(Phase::call, t.call_accepted->time_ns));
  if (t.first_read) {
    const Span start = phases.until(Phase::start, *t.first_read);
    of(Phase::start) = waits_before(late.answers, start, t.read_late);
    of(Phase::read) =
        waits_of_reading(late, phases.until(Phase::read, t.responses_accepted.value_or(*t.first_read)));
  }
  // What was written was sent before the Reply, whatever the tap saw of it.
  const Span serve = phases.until(Phase::serve, std::min(t.first_write.value_or(INT64_MAX), replied_ns));
  of(Phase::serve) = waits_before(late.answers, serve, t.first_write ? t.write_late : t.reply_late);
  if (t.first_write) {
    of(Phase::write) = waits(late.answers, phases.until(Phase::write, *t.writes_accepted));
    of(Phase::finish) = waits(late.answers, phases.until(Phase::finish, replied_ns));
  }
  of(Phase::reply) = waits(late.answers, phases.until(Phase::reply, end_ns));

  const Waits all = sum(all_waits);
  const int64_t lost_ns = std::min(all.lost_ns, *timing.delivered_ns);
  note_recovery(x, lost_ns, all.refused_ns);
  const auto left = [&](Phase phase) {
    return timing.phases_ns[static_cast<size_t>(phase)] - of(phase).lost_ns - of(phase).refused_ns;
  };
  timing.no_room_ns =
      of(Phase::start).refused_ns + of(Phase::serve).refused_ns + of(Phase::finish).refused_ns;
  const int64_t refused_call_ns = of(Phase::call).refused_ns;  // by the Responder, all else by the Requester
  timing.refused_call_ns = std::min(refused_call_ns, timing.refused_ns);
  // By WaitedOn.
  timing.spent_ns = {
      left(Phase::start) + left(Phase::serve) + left(Phase::finish) + left(Phase::reply) + refused_call_ns,
      left(Phase::call) + t.requester_ns + all.refused_ns - refused_call_ns, lost_ns,
      left(Phase::read) - t.requester_ns + left(Phase::write)};
  // A connection recovers what it loses, so on one that goes on the Responder did not answer; one that broke
  // may have lost anything.
  std::array<int64_t, kWaitedOns> parts = timing.spent_ns;
  parts[static_cast<size_t>(t.moved ? WaitedOn::network : WaitedOn::responder)] += earlier_ns(timing);
  timing.waited_on = static_cast<WaitedOn>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

}  // namespace

void Unacknowledged::on_accepted(Side by, uint64_t position, const Stamp& at) {
  const Side sender = rdma::other(by);
  Awaited& calls = calls_[rdma::index(sender)];
  while (calls.oldest() != nullptr && calls.oldest()->exchange.timeline.call_end <= position) {
    rpc::Slot& slot = *calls.oldest();
    Timeline& t = slot.exchange.timeline;
    leave(slot);
    const std::optional<Stamp> accepted = transit_.accepted(by, t.call_end, *slot.exchange.call, at);
    t.call_accepted = t.call_accepted ? t.call_accepted : accepted;
    t.call_acknowledged = at;
  }
  Awaited& replies = replies_[rdma::index(by)];
  while (replies.oldest() != nullptr && replies.oldest()->exchange.timeline.reply_end <= position) {
    rpc::Slot& slot = *replies.oldest();
    Timeline& t = slot.exchange.timeline;
    leave(slot);
    t.reply_accepted = transit_.accepted(by, t.reply_end, *slot.exchange.reply, at);
    t.reply_acknowledged = at;
    if (slot.exchange.status != Status::transport_error) {  // after which it may be sent again
      answered_for_certain(slot.exchange, shared_.retries);
    }
    if (slot.reported) {
      report(slot);
      state_.common.slots.give_back(&slot);
    }
  }
  transit_.sent(sender).accept(position);
}

bool Unacknowledged::keep(rpc::Slot& slot) {
  slot.reported = state_.connection.rpcrdma;  // else it may carry something else, and nobody heard of it
  if (slot.reported && slot.awaits == rpc::Slot::Awaits::reply_accepted && !state_.connection.ended &&
      !state_.connection.one_direction()) {
    return true;
  }
  leave(slot);
  report(slot);
  return false;
}

// An Exchange whose Call is not acknowledged is not reported yet.
void Unacknowledged::let_go(rpc::ExchangeListener::Fate fate) {
  for (auto* lists : {&calls_, &replies_}) {
    if (lists == &calls_ && fate == rpc::ExchangeListener::Fate::reported) {
      continue;
    }
    for (Awaited& list : *lists) {
      while (rpc::Slot* slot = list.oldest()) {
        leave(*slot);
        if (slot->reported) {
          if (fate == rpc::ExchangeListener::Fate::reported) {
            report(*slot);
          }
          state_.common.slots.give_back(slot);
        }
      }
    }
  }
}

void Unacknowledged::report(rpc::Slot& slot) {
  Exchange& x = slot.exchange;
  Timeline& t = x.timeline;
  conclude_attempts(x, shared_.retries);
  if (x.reply && !t.reply_accepted) {
    t.reply_repeated_ns =
        transit_.sent(rdma::other(x.requester)).waiting().waits(x.reply->time_ns, INT64_MAX).lost_ns;
  }
  if (t.gaps == transit_.gaps()) {
    const Side requester = x.requester;
    const Lateness late{.calls = transit_.sent(requester),
                        .responses = transit_.responses(requester),
                        .answers = transit_.sent(rdma::other(requester))};
    if (x.reply && t.last_response) {
      t.responses_accepted = late.responses.complete_ns(t.reads_end, *t.last_response, x.reply->time_ns);
    }
    if (x.reply && t.last_write) {
      t.writes_accepted = late.answers.complete_ns(t.writes_end, *t.last_write, x.reply->time_ns);
    }
    work_out(x, late);
  }
  if (state_.connection.rpcrdma) {
    state_.common.sink.on_timed(x);
  }
}

void Unacknowledged::await(rpc::Slot& slot, rpc::Slot::Awaits what) {
  slot.awaits = what;
  auto& lists = what == rpc::Slot::Awaits::call_accepted ? calls_ : replies_;
  Awaited& list = lists[rdma::index(slot.exchange.requester)];
  list.add(slot);
  if (list.size() > kMaxKept) {
    rpc::Slot& oldest = *list.oldest();
    leave(oldest);
    if (oldest.reported) {
      report(oldest);
      state_.common.slots.give_back(&oldest);
    }
  }
}

void Unacknowledged::leave(rpc::Slot& slot) {
  if (slot.awaits != rpc::Slot::Awaits::nothing) {
    auto& lists = slot.awaits == rpc::Slot::Awaits::call_accepted ? calls_ : replies_;
    lists[rdma::index(slot.exchange.requester)].remove(slot);
    slot.awaits = rpc::Slot::Awaits::nothing;
  }
}

}  // namespace steertag::timing
