#include "rpc/departures.h"

#include <algorithm>
#include <utility>

#include "base/fetch.h"
#include "rpc/exchange_fill.h"

namespace steertag::rpc {
namespace {

// Packets that have waited for what is missing are reported when the wait is given
// up: for this long after a gap, what an RPC moved may be reported before its Call.
constexpr int64_t kUnsettledNs = 10'000'000;

// What the capture may hide. What an RDMA Read asked for was delivered before the Responder could reply;
// without a Reply it may wait for that.
Doubt doubt_about(const Slot& slot, const Disturbances& now) {
  const Exchange& x = slot.exchange;
  const track::Connection& connection = *x.connection;
  if (slot.cut) {
    return Doubt::header_cut;
  }
  const bool near_gap =
      x.call && connection.last_doubt_ns && x.call->time_ns - *connection.last_doubt_ns < kUnsettledNs;
  if (slot.before.gaps != now.gaps || near_gap) {
    return Doubt::frames_missing;
  }
  if (slot.parts) {
    return Doubt::in_parts;
  }
  if (!x.call && (now.gaps != 0 || !connection.seen_from_start)) {
    return connection.seen_from_start ? Doubt::frames_missing : Doubt::call_missing;
  }
  if (!x.reply && now.orphans != 0) {
    return Doubt::frames_missing;  // a Reply without a Call went by: taps may be merged out of order
  }
  const bool all_there =
      !x.reply || std::all_of(x.segments.begin(), x.segments.end(), [](const SegmentFlow& segment) {
        return segment.kind != ChunkKind::read || segment.moved().total() >= segment.requested().total();
      });
  return all_there ? Doubt::none : Doubt::frames_missing;
}

}  // namespace

void count_disturbances(Slot& slot, const Disturbances& now) {
  slot.exchange.retransmissions = now.retransmissions - slot.before.retransmissions;
  slot.exchange.naks = now.naks - slot.before.naks;
}

void settle(Slot& slot, SlotPool& slots) {
  if (Slot* instead = std::exchange(slot.instead, nullptr)) {
    slots.give_back(instead);
  }
}

void Departures::linger(Slot& slot, const Stamp& at) {
  const int64_t due_ns = at.time_ns + state_.common.settings.linger_ns;
  while (Slot* left_ahead = lingering_.take_left_ahead(due_ns)) {
    report(*left_ahead, Doubt::none);
  }
  if (Slot* gives_way = lingering_.close(slot, due_ns)) {
    report(*gives_way, Doubt::none);
  }
}

void Departures::owe(Slot& slot, const Stamp& at) {
  if (Slot* gives_way = lingering_.owe(slot, at.time_ns + Lingering::kDonePatienceNs)) {
    report(*gives_way, Doubt::none);
  }
}

void Departures::report(Slot& slot, Doubt known) {
  Exchange& x = slot.exchange;
  x.backward = state_.connection.client && *state_.connection.client != x.requester;
  x.doubt = doubt_about(slot, state_.disturbances);
  x.doubt = x.doubt == Doubt::none ? known : x.doubt;
  find_procedure(x);
  find_answer(x);
  if (x.doubt == Doubt::none && slot.instead != nullptr && !reads_as_reply(x).value_or(false)) {
    x.doubt = Doubt::reply_unclear;
  }
  x.complete = x.doubt == Doubt::none;
  settle(slot, state_.common.slots);
  if (!slot.replied) {
    count_disturbances(slot, state_.disturbances);
    state_.open.remove(slot);
  }
  state_.advertised.withdraw(slot.advertisement);
  state_.listeners.tell(&ExchangeListener::on_over, slot);
  if (state_.connection.rpcrdma) {
    state_.common.sink.on_exchange(x);
  }
  x.subject.call_walk = nullptr;
  if (!state_.listeners.any([&](ExchangeListener& one) { return one.keep(slot); })) {
    state_.common.slots.give_back(&slot);
  }
}

void Departures::report_oldest_open() {
  state_.open.outstanding().note_forgotten(state_.open.oldest()->exchange.requester);
  report(*state_.open.oldest(), Doubt::frames_missing);
}

bool Departures::any(Early what) const {
  return what == Early::open
             ? state_.open.oldest() != nullptr
             : lingering_.due() != INT64_MAX ||
                   state_.listeners.any([](ExchangeListener& one) { return one.keeps_any(); });
}

void Departures::report_early(Early what) {
  if (what == Early::lingering) {
    while (Slot* slot = lingering_.take_due(INT64_MAX)) {
      state_.common.budget.note_given_up();
      report(*slot, Doubt::frames_missing);
    }
    state_.listeners.tell(&ExchangeListener::let_go, ExchangeListener::Fate::reported);
    return;
  }
  for (size_t left = (state_.open.size() + 1) / 2; left != 0; --left) {
    state_.common.budget.note_given_up();
    report_oldest_open();
  }
}

void Departures::flush(int64_t now_ns) {
  while (Slot* slot = state_.connection.rpcrdma ? lingering_.take_due(now_ns) : nullptr) {
    report(*slot, Doubt::none);
  }
}

void Departures::finish(Ended what) {
  flush(INT64_MAX);
  while (Slot* slot = state_.open.oldest()) {
    const track::Connection& connection = state_.connection;
    const bool late =
        connection.until_ns() - slot->exchange.call->time_ns >= state_.common.settings.settle_ns;
    report(*slot, what == Ended::connection || late ? Doubt::none : Doubt::capture_ended);
  }
  state_.listeners.tell(&ExchangeListener::let_go, ExchangeListener::Fate::reported);
}

void Departures::drop() {
  state_.listeners.tell(&ExchangeListener::let_go, ExchangeListener::Fate::forgotten);
  const auto forget = [&](Slot& slot) {
    settle(slot, state_.common.slots);
    state_.advertised.withdraw(slot.advertisement);
    state_.common.slots.give_back(&slot);
  };
  while (Slot* slot = state_.open.oldest()) {
    state_.open.remove(*slot);
    forget(*slot);
  }
  while (Slot* slot = lingering_.take_due(INT64_MAX)) {
    forget(*slot);
  }
  state_.open.forget();
}

void Departures::expect_flush(Nearing step) const {
  if (step == Nearing::contents) {
    lingering_.expect();
  } else {
    base::fetch(*this);
    base::fetch(state_.open);
    base::fetch(state_.advertised);
  }
}

}  // namespace steertag::rpc
