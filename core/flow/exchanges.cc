#include "flow/exchanges.h"

#include <algorithm>

#include "flow/common.h"
#include "flow/direction.h"
#include "flow/exchange_fill.h"

namespace steertag::flow {

namespace {

// Packets that have waited for what is missing are reported when the wait is given
// up: for this long after a gap, what an RPC moved may be reported before its Call.
constexpr int64_t kUnsettledNs = 10'000'000;

void count_disturbances(Slot& slot, const Disturbances& now) {
  slot.exchange.retransmissions = now.retransmissions - slot.before.retransmissions;
  slot.exchange.naks = now.naks - slot.before.naks;
}

// What the capture may hide. What an RDMA Read asked for was delivered before
// the Responder could reply.
Doubt doubt_about(const Slot& slot, const Disturbances& now, uint64_t orphans) {
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
  if (!x.reply && orphans != 0) {
    return Doubt::frames_missing;  // a Reply without a Call went by: taps may be merged out of order
  }
  const bool all_there = std::all_of(x.segments.begin(), x.segments.end(), [](const SegmentFlow& segment) {
    return segment.kind != ChunkKind::read || segment.moved().total() >= segment.requested().total();
  });
  return all_there ? Doubt::none : Doubt::frames_missing;
}

}  // namespace

const Exchange* Exchanges::find_open(Side requester, uint32_t xid) const {
  const auto found = open_.find(rpc_key(requester, xid));
  return found == open_.end() ? nullptr : &found->second->exchange;
}

Slot& Exchanges::begin(const Message& message, Side requester) {
  Slot& slot = *common_.slots.take();
  slot.before = disturbances_;
  slot.exchange.connection = &connection_;
  slot.exchange.xid = message.header->xid;
  slot.exchange.requester = requester;
  slot.exchange.version = message.header->version;
  return slot;
}

void Exchanges::on_call(const Message& call) {
  const auto earlier = open_.find(rpc_key(call.from, call.header->xid));
  uint32_t resent = 0;
  if (earlier != open_.end()) {
    resent = earlier->second->exchange.resent + 1;
    report(*earlier->second, Doubt::frames_missing);  // the XID is used again: the Reply was not captured
  }
  // One frame may bring many Calls, so that the budget is looked at here, too.
  while (common_.budget.over() && any_open())
    [[unlikely]] {
      reported_early_ = true;
      common_.budget.note_given_up();
      report_oldest_open();
    }
  while (open_.size() >= kMaxOpen) {
    report_oldest_open();
  }
  Slot& slot = begin(call, call.from);
  slot.exchange.resent = resent;
  outstanding_.enter(slot);
  const Followed followed = fill_call(slot.exchange, call, common_.settings);
  slot.cut = header_cut(call) || followed != Followed::all;
  const rpcrdma::TransportHeader& h = *call.header;
  if (slot.cut) {
    advertised_.note_cut(call.from);  // it may advertise more than could be read
  } else if (!header_whole(call) || !rpcrdma::procedure_exists(h.version, h.procedure)) {
    advertised_.note_unreadable(slot.advertisement);
  }
  open_[rpc_key(call.from, h.xid)] = &slot;
  by_age_.add(slot);
  slot.cut |= advertised_.advertise(slot.advertisement, 0) != Followed::all;
  common_.slots.recharge(slot);
}

void Exchanges::on_reply(const Message& reply) {
  const Side requester = rdma::other(reply.from);
  const auto found = open_.find(rpc_key(requester, reply.header->xid));
  const bool known = found != open_.end();
  if (!known && reply.header->is_error() && connection_.seen_from_start && disturbances_.gaps == 0) {
    return;  // answers nothing that could be reported as an RPC
  }
  Slot& slot = known ? *found->second : begin(reply, requester);
  if (known) {
    open_.erase(found);
    by_age_.remove(slot);
    outstanding_.leave(slot);
  } else {
    ++orphans_;
    advertised_.early().note_reply(requester, reply.header->xid, reply.at.time_ns);
  }
  fill_reply(slot.exchange, reply, known ? CallKnown::yes : CallKnown::no, common_.settings);
  slot.replied = true;
  const bool by_xid = known && reply.direction_guessed && reply.from == connection_.client;
  ever_unclear_ |= by_xid;
  if (by_xid && left_by_client(reply, connection_.client)) {
    slot.exchange.reply_by_xid = true;
    slot.instead = &begin(reply, reply.from);
    slot.instead->cut =
        fill_call(slot.instead->exchange, reply, common_.settings) != Followed::all || header_cut(reply);
    common_.slots.recharge(*slot.instead);
  }
  count_disturbances(slot, disturbances_);
  advertised_.end(slot.advertisement, requester);
  if (reply.send_invalidate) {
    advertised_.invalidate(requester, reply.invalidated, reply.at);
  }
  const auto first = static_cast<uint32_t>(slot.exchange.segments.size());
  if (add_results(slot.exchange, reply) != Followed::all || reply.decoded.stop) {
    advertised_.note_cut(reply.from);  // it may advertise more than could be read
  }
  slot.cut |= advertised_.advertise(slot.advertisement, first) != Followed::all;
  common_.slots.recharge(slot);
  const bool owing = !reply.header->chunks.reads.empty();
  Slot* gives_way = owing ? lingering_.owe(slot, reply.at.time_ns + Lingering::kDonePatienceNs)
                          : lingering_.close(slot, reply.at.time_ns + common_.settings.linger_ns);
  if (gives_way != nullptr) {
    report(*gives_way, Doubt::none);
  }
}

// The Responder has its memory back (RFC 5666 §3.8).
void Exchanges::on_done(const Message& done) {
  Slot* slot = lingering_.confirm(done.from, done.header->xid);
  if (slot == nullptr) {
    return;
  }
  settle(*slot);
  fill_done(slot->exchange, done);
  advertised_.end(slot->advertisement, rdma::other(slot->exchange.requester));
  if (Slot* gives_way = lingering_.close(*slot, done.at.time_ns + common_.settings.linger_ns)) {
    report(*gives_way, Doubt::none);
  }
}

void Exchanges::on_unknown_option(const Message& message) {
  const auto& body = message.header->optional;
  if (body.empty() || !body[0].info.empty()) {
    advertised_.note_cut(message.from);
  }
  const auto found = open_.find(rpc_key(rdma::other(message.from), message.header->xid));
  if (message.direction != Direction::reply || found == open_.end()) {
    return;
  }
  // Part of the Reply, or all of it by other means.
  outstanding_.leave(*found->second);
  found->second->parts = true;
}

void Exchanges::give_up_v2(Side requester, int64_t before_ns) {
  Slot* next = by_age_.oldest();
  while (next != nullptr && outstanding_.open_v2(requester) != 0 &&
         next->exchange.call->time_ns <= before_ns) {
    if (next->exchange.requester == requester && next->exchange.version == 2) {
      outstanding_.leave(*next);
    }
    next = next->newer;
  }
}

// `known`: what the caller has against it. It stands in no list but that of the open ones.
void Exchanges::report(Slot& slot, Doubt known) {
  Exchange& x = slot.exchange;
  x.backward = connection_.client && *connection_.client != x.requester;
  x.doubt = doubt_about(slot, disturbances_, orphans_);
  x.doubt = x.doubt == Doubt::none ? known : x.doubt;
  find_procedure(x);
  find_answer(x);
  if (x.doubt == Doubt::none && slot.instead != nullptr && !reads_as_reply(x).value_or(false)) {
    x.doubt = Doubt::reply_unclear;
  }
  x.complete = x.doubt == Doubt::none;
  settle(slot);
  if (!slot.replied) {
    count_disturbances(slot, disturbances_);
    open_.erase(rpc_key(x.requester, x.xid));
    by_age_.remove(slot);
    outstanding_.leave(slot);
  }
  advertised_.withdraw(slot.advertisement);
  if (connection_.rpcrdma) {
    common_.sink.on_exchange(x);
  }
  common_.slots.give_back(&slot);
}

void Exchanges::report_oldest_open() {
  outstanding_.note_forgotten(by_age_.oldest()->exchange.requester);
  report(*by_age_.oldest(), Doubt::frames_missing);
}

void Exchanges::report_lingering_early() {
  while (Slot* slot = lingering_.take_due(INT64_MAX)) {
    common_.budget.note_given_up();
    report(*slot, Doubt::frames_missing);
  }
}

void Exchanges::report_open_early() {
  for (size_t left = (by_age_.size() + 1) / 2; left != 0; --left) {
    common_.budget.note_given_up();
    report_oldest_open();
  }
}

void Exchanges::flush(int64_t now_ns) {
  while (Slot* slot = lingering_.take_due(now_ns)) {
    report(*slot, Doubt::none);
  }
}

void Exchanges::finish(Ended what) {
  flush(INT64_MAX);
  while (Slot* slot = by_age_.oldest()) {
    const bool late =
        connection_.last_frame.time_ns - slot->exchange.call->time_ns >= common_.settings.settle_ns;
    report(*slot, what == Ended::connection || late ? Doubt::none : Doubt::capture_ended);
  }
}

void Exchanges::drop() {
  const auto forget = [&](Slot& slot) {
    settle(slot);
    advertised_.withdraw(slot.advertisement);
    common_.slots.give_back(&slot);
  };
  while (Slot* slot = by_age_.oldest()) {
    by_age_.remove(*slot);
    forget(*slot);
  }
  while (Slot* slot = lingering_.take_due(INT64_MAX)) {
    forget(*slot);
  }
  open_.clear();
  outstanding_ = {};
}

}  // namespace steertag::flow
