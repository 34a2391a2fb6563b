#include "timing/unacknowledged.h"

#include "timing/work_out.h"

namespace steertag::timing {

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
