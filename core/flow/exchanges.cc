#include "flow/exchanges.h"

#include <algorithm>

#include "flow/common.h"
#include "flow/direction.h"
#include "flow/exchange_fill.h"

namespace steertag::flow {

const Exchange* Exchanges::find_open(Side requester, uint32_t xid) const {
  const Slot* found = open_.find(requester, xid);
  return found != nullptr ? &found->exchange : nullptr;
}

Slot& Exchanges::begin(const Message& message, Side requester) {
  Slot& slot = *common_.slots.take();
  slot.exchange.connection = &connection_;
  begin_disturbances(slot, departures_.disturbances(), common_);
  slot.exchange.xid = message.header->xid;
  slot.exchange.requester = requester;
  slot.exchange.version = message.header->version;
  return slot;
}

// For one more Call. One frame may bring many, so that the budget is looked at here, too.
void Exchanges::make_room() {
  while (common_.budget.over() && open_.oldest() != nullptr)
    [[unlikely]] {
      reported_early_ = true;
      common_.budget.note_given_up();
      departures_.report_oldest_open();
    }
  while (open_.size() >= kMaxOpen) {
    departures_.report_oldest_open();
  }
}

void Exchanges::on_call(const Message& call) {
  uint32_t resent = 0;
  if (Slot* earlier = open_.find(call.from, call.header->xid)) {
    resent = earlier->exchange.resent + 1;
    // The XID is used again: the Reply was not captured.
    departures_.report(*earlier, Doubt::frames_missing);
  }
  make_room();
  Slot& slot = begin(call, call.from);
  slot.exchange.resent = resent;
  const Followed followed = fill_call(slot.exchange, call, common_.settings);
  slot.cut = header_cut(call) || followed != Followed::all;
  if (common_.settings.for_reports) {
    departures_.times().on_call(slot, call);
    slot.exchange.timing.at_credit_limit_ns = open_.outstanding().clock(call.from).on_call(call.at.time_ns);
  }
  const rpcrdma::TransportHeader& h = *call.header;
  if (slot.cut) {
    advertised_.unread().note_cut(call.from);  // it may advertise more than could be read
  } else if (!header_whole(call) || !rpcrdma::procedure_exists(h.version, h.procedure)) {
    advertised_.unread().note_unreadable(slot.advertisement);
  }
  open_.add(slot);
  slot.cut |= advertised_.advertise(slot.advertisement, 0) != Followed::all;
  common_.slots.recharge(slot);
}

void Exchanges::on_reply(const Message& reply) {
  const Side requester = rdma::other(reply.from);
  Slot* const found = open_.find(requester, reply.header->xid);
  const bool known = found != nullptr;
  const Disturbances& disturbances = departures_.disturbances();
  if (!known && reply.header->is_error() && connection_.seen_from_start && disturbances.gaps == 0) {
    return;  // answers nothing that could be reported as an RPC
  }
  Slot& slot = known ? *found : begin(reply, requester);
  if (known) {
    open_.remove(slot);
  } else {
    ++departures_.disturbances().orphans;
    advertised_.early().note_reply(requester, reply.header->xid, reply.at.time_ns);
  }
  fill_reply(slot.exchange, reply, known ? CallKnown::yes : CallKnown::no, common_.settings);
  slot.replied = true;
  if (common_.settings.for_reports) {
    departures_.times().on_reply(slot, reply);
  }
  const bool left = known && taken_by_xid(reply, connection_.client);
  ever_unclear_ |= left || (known && reply.direction_guessed && reply.from == connection_.client);
  if (left) {
    slot.exchange.reply_by_xid = true;
    slot.instead = &begin(reply, reply.from);
    slot.instead->cut =
        fill_call(slot.instead->exchange, reply, common_.settings) != Followed::all || header_cut(reply);
    common_.slots.recharge(*slot.instead);
  }
  count_disturbances(slot, disturbances, common_);
  if (!left) {  // else the Call may still be executed
    advertised_.end(slot.advertisement, requester);
  }
  if (reply.send_invalidate) {
    advertised_.invalidate(requester, reply.invalidated, reply.at);
  }
  const auto first = static_cast<uint32_t>(slot.exchange.segments.size());
  if (add_results(slot.exchange, reply) != Followed::all || reply.decoded.stop) {
    advertised_.unread().note_cut(reply.from);  // it may advertise more than could be read
  }
  slot.cut |= advertised_.advertise(slot.advertisement, first) != Followed::all;
  common_.slots.recharge(slot);
  reply.header->chunks.reads.empty() ? departures_.linger(slot, reply.at) : departures_.owe(slot, reply.at);
}

// The Responder has its memory back (RFC 5666 §3.8).
void Exchanges::on_done(const Message& done) {
  Slot* slot = departures_.lingering().confirm(done.from, done.header->xid);
  if (slot == nullptr) {
    return;
  }
  if (slot->instead != nullptr) {  // it was the Reply
    advertised_.end(slot->advertisement, slot->exchange.requester);
  }
  settle(*slot, common_.slots);
  fill_done(slot->exchange, done);
  advertised_.end(slot->advertisement, rdma::other(slot->exchange.requester));
  departures_.linger(*slot, done.at);
}

void Exchanges::on_unknown_option(const Message& message) {
  const auto& body = message.header->optional;
  if (body.empty() || !body[0].info.empty()) {
    advertised_.unread().note_cut(message.from);
  }
  Slot* const found = open_.find(rdma::other(message.from), message.header->xid);
  if (message.direction != Direction::reply || found == nullptr) {
    return;
  }
  // Part of the Reply, or all of it by other means.
  open_.outstanding().leave(*found);
  found->parts = true;
}

}  // namespace steertag::flow
