#include "rpc/exchanges.h"

#include "rpc/direction.h"
#include "rpc/exchange_fill.h"

namespace steertag::rpc {

Slot& Exchanges::begin(const Message& message, Side requester) {
  Slot& slot = *state_.common.slots.take();
  slot.exchange.connection = &state_.connection;
  slot.before = state_.disturbances;
  slot.exchange.xid = message.header->xid;
  slot.exchange.requester = requester;
  slot.exchange.version = message.header->version;
  return slot;
}

// For one more Call. One frame may bring many, so that the budget is looked at here, too.
void Exchanges::make_room() {
  while (state_.common.budget.over() && state_.open.oldest() != nullptr)
    [[unlikely]] {
      reported_early_ = true;
      state_.common.budget.note_given_up();
      departures_.report_oldest_open();
    }
  while (state_.open.size() >= kMaxOpen) {
    departures_.report_oldest_open();
  }
}

void Exchanges::on_call(const Message& call) {
  uint32_t resent = 0;
  if (Slot* earlier = state_.open.find(call.from, call.header->xid)) {
    resent = earlier->exchange.resent + 1;
    // The XID is used again: the Reply was not captured.
    departures_.report(*earlier, Doubt::frames_missing);
  }
  make_room();
  Slot& slot = begin(call, call.from);
  slot.exchange.resent = resent;
  const Followed followed = fill_call(slot.exchange, call, state_.common.settings.payload_limit);
  slot.cut = header_cut(call) || followed != Followed::all;
  state_.listeners.tell(&ExchangeListener::on_call, slot, call);
  const rpcrdma::TransportHeader& h = *call.header;
  if (slot.cut) {
    state_.advertised.unread().note_cut(call.from);  // it may advertise more than could be read
  } else if (!header_whole(call) || !rpcrdma::procedure_exists(h.version, h.procedure)) {
    state_.advertised.unread().note_unreadable(slot.advertisement);
  }
  state_.open.add(slot);
  slot.cut |= state_.advertised.advertise(slot.advertisement, 0) != Followed::all;
  state_.common.slots.recharge(slot);
}

void Exchanges::on_reply(const Message& reply) {
  const Side requester = rdma::other(reply.from);
  Slot* const found = state_.open.find(requester, reply.header->xid);
  const bool known = found != nullptr;
  if (!known && reply.header->is_error() && state_.connection.seen_from_start &&
      state_.disturbances.gaps == 0) {
    return;  // answers nothing that could be reported as an RPC
  }
  Slot& slot = known ? *found : begin(reply, requester);
  if (known) {
    state_.open.remove(slot);
  } else {
    ++state_.disturbances.orphans;
    state_.advertised.early().note_reply(requester, reply.header->xid, reply.at.time_ns);
  }
  fill_reply(slot.exchange, reply, known ? CallKnown::yes : CallKnown::no,
             reply_limit(state_.common.settings));
  slot.replied = true;
  state_.listeners.tell(&ExchangeListener::on_reply, slot, reply);
  const bool left = known && taken_by_xid(reply, state_.connection.client);
  ever_unclear_ |= left || (known && reply.direction_guessed && reply.from == state_.connection.client);
  if (left) {
    slot.exchange.reply_by_xid = true;
    slot.instead = &begin(reply, reply.from);
    slot.instead->cut =
        fill_call(slot.instead->exchange, reply, state_.common.settings.payload_limit) != Followed::all ||
        header_cut(reply);
    state_.listeners.tell(&ExchangeListener::on_perhaps_call, *slot.instead, reply);
    state_.common.slots.recharge(*slot.instead);
  }
  count_disturbances(slot, state_.disturbances);
  if (!left) {  // else the Call may still be executed
    state_.advertised.end(slot.advertisement, requester);
  }
  if (reply.send_invalidate) {
    state_.advertised.invalidate(requester, reply.invalidated, reply.at);
  }
  const auto first = static_cast<uint32_t>(slot.exchange.segments.size());
  if (add_results(slot.exchange, reply) != Followed::all || reply.decoded.stop) {
    state_.advertised.unread().note_cut(reply.from);  // it may advertise more than could be read
  }
  slot.cut |= state_.advertised.advertise(slot.advertisement, first) != Followed::all;
  state_.common.slots.recharge(slot);
  reply.header->chunks.reads.empty() ? departures_.linger(slot, reply.at) : departures_.owe(slot, reply.at);
}

// The Responder has its memory back (RFC 5666 §3.8).
void Exchanges::on_done(const Message& done) {
  Slot* slot = departures_.lingering().confirm(done.from, done.header->xid);
  if (slot == nullptr) {
    return;
  }
  if (slot->instead != nullptr) {  // it was the Reply
    state_.advertised.end(slot->advertisement, slot->exchange.requester);
  }
  settle(*slot, state_.common.slots);
  fill_done(slot->exchange, done);
  state_.advertised.end(slot->advertisement, rdma::other(slot->exchange.requester));
  departures_.linger(*slot, done.at);
}

void Exchanges::on_unknown_option(const Message& message) {
  const auto& body = message.header->optional;
  if (body.empty() || !body[0].info.empty()) {
    state_.advertised.unread().note_cut(message.from);
  }
  Slot* const found = state_.open.find(rdma::other(message.from), message.header->xid);
  if (message.direction != Direction::reply || found == nullptr) {
    return;
  }
  // Part of the Reply, or all of it by other means.
  state_.open.outstanding().leave(*found);
  found->parts = true;
}

// A Reply that is left to be read (RFC 5666 §3.5) looks like a Call of its sender with the same XID: XIDs are
// each Requester's own (RFC 8167 §4.2). Two such messages are followed as the Reply until they show that they
// were the Call: a client's with the XID of an open callback, and a server's with that of an open Call of
// NFSv4.1.

std::optional<Side> Exchanges::reconsider(const Message& answer) {
  const uint32_t xid = answer.header->xid;
  for (const Side requester : {Side::a, Side::b}) {  // of what was taken for answered
    Slot* slot = departures_.lingering().find_owing(requester, xid);
    if (slot != nullptr && slot->instead != nullptr && !reads_as_reply(slot->exchange).value_or(false) &&
        state_.open.find(requester, xid) == nullptr) {
      reopen(*departures_.lingering().confirm(requester, xid));
      return rdma::other(requester);
    }
  }
  return std::nullopt;
}

// The Call is open since it was sent, and so is what it was taken to answer.
void Exchanges::reopen(Slot& slot) {
  Slot& call = *slot.instead;
  slot.instead = nullptr;
  state_.listeners.tell(&ExchangeListener::on_reopened, slot);
  state_.advertised.withdraw(slot.advertisement);
  move_results(slot.exchange, call.exchange);
  slot.replied = false;
  for (Slot* one : {&slot, &call}) {
    if (state_.open.find(one->exchange.requester, one->exchange.xid) != nullptr) {  // sent before
      state_.common.slots.give_back(one);
      continue;
    }
    state_.open.add(*one);
    one->cut |= state_.advertised.advertise(one->advertisement, 0) != Followed::all;
    state_.common.slots.recharge(*one);
  }
}

}  // namespace steertag::rpc
