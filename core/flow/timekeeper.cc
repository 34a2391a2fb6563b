#include "flow/timekeeper.h"

#include <algorithm>

#include "flow/common.h"
#include "flow/work_out.h"

namespace steertag::flow {

namespace {

// The frame in which something of it was first seen.
Stamp earliest(const Message& message) {
  return message.frames.empty() ? message.at : message.frames.front();
}

// The Responder acts on the Call: it has it.
void imply_call(Exchange& exchange, Transit& transit, int64_t known_ns) {
  Timeline& t = exchange.timeline;
  if (t.begun && !t.call_accepted) {
    const int64_t sent_ns = known_ns - transit.trip_ns(rdma::other(exchange.requester));
    t.call_accepted = transit.sent(exchange.requester).complete(t.call_end, *exchange.call, sent_ns);
  }
}

}  // namespace

void Timekeeper::on_accepted(Side by, uint64_t position, const Stamp& at) {
  const Side sender = rdma::other(by);
  Awaited& calls = calls_[rdma::index(sender)];
  while (calls.oldest() != nullptr && calls.oldest()->exchange.timeline.call_end <= position) {
    Slot& slot = *calls.oldest();
    Timeline& t = slot.exchange.timeline;
    leave(slot);
    const std::optional<Stamp> accepted = transit_.accepted(by, t.call_end, *slot.exchange.call, at);
    t.call_accepted = t.call_accepted ? t.call_accepted : accepted;
    t.call_acknowledged = at;
  }
  Awaited& replies = replies_[rdma::index(by)];
  while (replies.oldest() != nullptr && replies.oldest()->exchange.timeline.reply_end <= position) {
    Slot& slot = *replies.oldest();
    Timeline& t = slot.exchange.timeline;
    leave(slot);
    t.reply_accepted = transit_.accepted(by, t.reply_end, *slot.exchange.reply, at);
    t.reply_acknowledged = at;
    if (slot.reported) {
      report(slot);
    }
  }
  transit_.sent(sender).accept(position);
}

void Timekeeper::on_room(Side by, bool room, const Stamp& at) {
  transit_.sent(rdma::other(by)).waiting().on_room(room, at.time_ns);
  if (!room) {
    common_.sink.on_disturbance(connection_, {Disturbance::Kind::zero_window, by, at});
  }
}

// --- what happens to an Exchange ---

void Timekeeper::on_call(Slot& slot, const Message& call) {
  Timeline& t = slot.exchange.timeline;
  t.used = t.begun = true;
  t.gaps = transit_.gaps();
  t.call_begun = earliest(call);
  t.call_late = transit_.sent(call.from).was_late(t.call_begun);
  t.call_end = call.end_position;
  await(slot, Slot::Awaits::call_accepted);
  tie_attempts(slot.exchange, call, common_.retries);
}

void Timekeeper::on_rdma(Exchange& exchange, const rdma::RdmaOp& op) {
  Timeline& t = exchange.timeline;
  const int64_t now_ns = op.frames.back().time_ns;
  const bool late = transit_.sent(op.from).was_late(op.frames.front());
  t.used = true;
  imply_call(exchange, transit_, now_ns);
  switch (op.kind) {
    case rdma::OpKind::write:
      t.write_late |= late && !t.first_write;
      t.first_write = t.first_write.value_or(now_ns);
      t.last_write = now_ns;
      t.writes_end = op.end_position;
      break;
    case rdma::OpKind::read_request:
      t.read_late |= late && !t.first_read;
      t.first_read = t.first_read.value_or(now_ns);
      t.read_waits = t.read_waits.value_or(now_ns);
      break;
    case rdma::OpKind::read_response:
      if (t.read_waits && op.first) {
        const int64_t lost_ns =
            std::max(transit_.responses(op.from).waiting().waits(*t.read_waits, now_ns).lost_ns,
                     transit_.sent(rdma::other(op.from)).waiting().waits(*t.read_waits, now_ns).lost_ns);
        t.requester_ns += std::max<int64_t>(now_ns - *t.read_waits - transit_.trip_ns(op.from) - lost_ns, 0);
        t.read_waits.reset();
      }
      t.last_response = now_ns;
      t.reads_end = op.end_position;
      break;
    default:
      break;
  }
}

void Timekeeper::on_reply(Slot& slot, const Message& reply) {
  Exchange& x = slot.exchange;
  Timeline& t = x.timeline;
  imply_call(x, transit_, reply.at.time_ns);
  if (slot.awaits == Slot::Awaits::call_accepted) {
    leave(slot);
  }
  t.used = true;
  t.reply_begun = earliest(reply);
  t.reply_late = transit_.sent(reply.from).was_late(t.reply_begun);
  t.reply_end = reply.end_position;
  await(slot, Slot::Awaits::reply_accepted);
}

void Timekeeper::reopen(Slot& slot) {
  leave(slot);
  slot.exchange.timeline.reply_accepted.reset();
  slot.exchange.timeline.reply_acknowledged.reset();
}

// --- the end ---

void Timekeeper::retire(Slot& slot) {
  slot.reported = connection_.rpcrdma;  // else it may carry something else, and nobody heard of it
  if (!slot.reported || slot.awaits != Slot::Awaits::reply_accepted || connection_.ended ||
      connection_.one_direction()) {
    leave(slot);
    return report(slot);
  }
}

// An Exchange whose Call is not acknowledged is not reported yet.
void Timekeeper::give_up(Fate fate) {
  for (auto* lists : {&calls_, &replies_}) {
    if (lists == &calls_ && fate == Fate::reported) {
      continue;
    }
    for (Awaited& list : *lists) {
      while (Slot* slot = list.oldest()) {
        leave(*slot);
        if (slot->reported) {
          fate == Fate::reported ? report(*slot) : common_.slots.give_back(slot);
        }
      }
    }
  }
}

void Timekeeper::report(Slot& slot) {
  Exchange& x = slot.exchange;
  Timeline& t = x.timeline;
  conclude_attempts(x, common_.retries);
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
  if (connection_.rpcrdma) {
    common_.sink.on_timed(x);
  }
  common_.slots.give_back(&slot);
}

void Timekeeper::await(Slot& slot, Slot::Awaits what) {
  slot.awaits = what;
  auto& lists = what == Slot::Awaits::call_accepted ? calls_ : replies_;
  Awaited& list = lists[rdma::index(slot.exchange.requester)];
  list.add(slot);
  if (list.size() > kMaxKept) {
    Slot& oldest = *list.oldest();
    leave(oldest);
    if (oldest.reported) {
      report(oldest);
    }
  }
}

void Timekeeper::leave(Slot& slot) {
  if (slot.awaits != Slot::Awaits::nothing) {
    auto& lists = slot.awaits == Slot::Awaits::call_accepted ? calls_ : replies_;
    lists[rdma::index(slot.exchange.requester)].remove(slot);
    slot.awaits = Slot::Awaits::nothing;
  }
}

}  // namespace steertag::flow
