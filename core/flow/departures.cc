#include "flow/departures.h"

#include <algorithm>
#include <utility>

#include "base/fetch.h"
#include "flow/common.h"
#include "flow/direction.h"
#include "flow/exchange_fill.h"

namespace steertag::flow {

namespace {

// Packets that have waited for what is missing are reported when the wait is given
// up: for this long after a gap, what an RPC moved may be reported before its Call.
constexpr int64_t kUnsettledNs = 10'000'000;

// What the capture may hide. What an RDMA Read asked for was delivered before
// the Responder could reply.
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
  const bool all_there = std::all_of(x.segments.begin(), x.segments.end(), [](const SegmentFlow& segment) {
    return segment.kind != ChunkKind::read || segment.moved().total() >= segment.requested().total();
  });
  return all_there ? Doubt::none : Doubt::frames_missing;
}

}  // namespace

void begin_disturbances(Slot& slot, const Disturbances& now, const Common& common) {
  slot.before = now;
  if (common.settings.for_reports) {
    slot.slow_before = slowdown_of(*slot.exchange.connection, common.pauses);
  }
}

void count_disturbances(Slot& slot, const Disturbances& now, const Common& common) {
  slot.exchange.retransmissions = now.retransmissions - slot.before.retransmissions;
  slot.exchange.naks = now.naks - slot.before.naks;
  if (common.settings.for_reports) {
    slot.exchange.slowdown = since(slot.slow_before, slowdown_of(*slot.exchange.connection, common.pauses));
  }
}

void settle(Slot& slot, SlotPool& slots) {
  if (Slot* instead = std::exchange(slot.instead, nullptr)) {
    slots.give_back(instead);
  }
}

void Departures::linger(Slot& slot, const Stamp& at) {
  const int64_t due_ns = at.time_ns + common_.settings.linger_ns;
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
  x.backward = connection_.client && *connection_.client != x.requester;
  x.doubt = doubt_about(slot, disturbances_);
  x.doubt = x.doubt == Doubt::none ? known : x.doubt;
  find_procedure(x);
  find_answer(x);
  if (x.doubt == Doubt::none && slot.instead != nullptr && !reads_as_reply(x).value_or(false)) {
    x.doubt = Doubt::reply_unclear;
  }
  x.complete = x.doubt == Doubt::none;
  settle(slot, common_.slots);
  if (!slot.replied) {
    count_disturbances(slot, disturbances_, common_);
    open_.remove(slot);
  }
  advertised_.withdraw(slot.advertisement);
  if (connection_.rpcrdma) {
    if (common_.settings.for_reports) {
      common_.subjects.read(x, x.subject);
    }
    common_.sink.on_exchange(x);
  }
  if (common_.settings.for_reports) {
    times_.retire(slot);
  } else {
    common_.slots.give_back(&slot);
  }
}

void Departures::report_oldest_open() {
  open_.outstanding().note_forgotten(open_.oldest()->exchange.requester);
  report(*open_.oldest(), Doubt::frames_missing);
}

bool Departures::any(Early what) const {
  return what == Early::open ? open_.oldest() != nullptr : lingering_.due() != INT64_MAX || times_.any();
}

void Departures::report_early(Early what) {
  if (what == Early::lingering) {
    while (Slot* slot = lingering_.take_due(INT64_MAX)) {
      common_.budget.note_given_up();
      report(*slot, Doubt::frames_missing);
    }
    times_.give_up(Timekeeper::Fate::reported);
    return;
  }
  for (size_t left = (open_.size() + 1) / 2; left != 0; --left) {
    common_.budget.note_given_up();
    report_oldest_open();
  }
}

void Departures::flush(int64_t now_ns) {
  while (Slot* slot = connection_.rpcrdma ? lingering_.take_due(now_ns) : nullptr) {
    report(*slot, Doubt::none);
  }
}

void Departures::finish(Ended what) {
  flush(INT64_MAX);
  while (Slot* slot = open_.oldest()) {
    const bool late =
        connection_.last_frame.time_ns - slot->exchange.call->time_ns >= common_.settings.settle_ns;
    report(*slot, what == Ended::connection || late ? Doubt::none : Doubt::capture_ended);
  }
  times_.give_up(Timekeeper::Fate::reported);
}

void Departures::drop() {
  times_.give_up(Timekeeper::Fate::forgotten);
  const auto forget = [&](Slot& slot) {
    settle(slot, common_.slots);
    advertised_.withdraw(slot.advertisement);
    common_.slots.give_back(&slot);
  };
  while (Slot* slot = open_.oldest()) {
    open_.remove(*slot);
    forget(*slot);
  }
  while (Slot* slot = lingering_.take_due(INT64_MAX)) {
    forget(*slot);
  }
  open_.forget();
}

void Departures::expect_flush(Nearing step) const {
  if (step == Nearing::contents) {
    lingering_.expect();
  } else {
    base::fetch(*this);
    base::fetch(open_);
    base::fetch(advertised_);
  }
}

}  // namespace steertag::flow
