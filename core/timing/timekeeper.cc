#include "timing/timekeeper.h"

namespace steertag::timing {
namespace {

// The frame in which something of it was first seen.
Stamp earliest(const Message& message) {
  return message.frames.empty() ? message.at : message.frames.front();
}

}  // namespace

void Timekeeper::on_call(rpc::Slot& slot, const Message& call) {
  Timeline& t = slot.exchange.timeline;
  t.used = t.begun = true;
  t.gaps = transit_.gaps();
  t.slow_before = slowdown();
  t.call_begun = earliest(call);
  t.call_late = transit_.sent(call.from).was_late(t.call_begun);
  t.call_end = call.end_position;
  unacknowledged_.await(slot, rpc::Slot::Awaits::call_accepted);
  tie_attempts(slot.exchange, call, shared_.retries);
  slot.exchange.timing.at_credit_limit_ns = credits_.on_call(call);
}

void Timekeeper::on_perhaps_call(rpc::Slot& slot, const Message&) {
  slot.exchange.timeline.slow_before = slowdown();
}

void Timekeeper::on_reply(rpc::Slot& slot, const Message& reply) {
  Exchange& x = slot.exchange;
  Timeline& t = x.timeline;
  transit_.imply_call(x, reply.at.time_ns);
  if (slot.awaits == rpc::Slot::Awaits::call_accepted) {
    unacknowledged_.leave(slot);
  }
  t.used = true;
  t.reply_begun = earliest(reply);
  t.reply_late = transit_.sent(reply.from).was_late(t.reply_begun);
  t.reply_end = reply.end_position;
  if (x.call) {
    x.slowdown = since(t.slow_before, slowdown());
  }
  unacknowledged_.await(slot, rpc::Slot::Awaits::reply_accepted);
}

void Timekeeper::on_reopened(rpc::Slot& slot) {
  unacknowledged_.leave(slot);
  slot.exchange.timeline.reply_accepted.reset();
  slot.exchange.timeline.reply_acknowledged.reset();
}

void Timekeeper::on_over(rpc::Slot& slot) {
  if (!slot.replied) {
    slot.exchange.slowdown = since(slot.exchange.timeline.slow_before, slowdown());
  }
  if (state_.connection.rpcrdma) {
    shared_.subjects.read(slot.exchange, slot.exchange.subject);
  }
}

void Timekeeper::let_go(Fate fate) {
  unacknowledged_.let_go(fate);
  if (fate == Fate::reported) {
    transport_.finish();
  }
  if (fate == Fate::forgotten) {
    credits_.forget();
  }
}

}  // namespace steertag::timing
