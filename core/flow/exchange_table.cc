#include "flow/exchange_table.h"

#include <algorithm>

#include "flow/standing.h"
#include "rpcrdma/rpc.h"

namespace steertag::flow {

namespace {

void keep(std::vector<uint8_t>& into, Bytes bytes, uint32_t limit) {
  const Bytes kept = slice(bytes, 0, limit);
  into.assign(kept.begin(), kept.end());
}

void keep_leg(Leg& leg, const Message& message) {
  leg.kept = true;
  leg.header = *message.header;
  leg.decoded = message.decoded;
  leg.length = message.length;
  leg.send_invalidate = message.send_invalidate;
  leg.invalidated = message.invalidated;
  leg.has_rpc = message.rpc != nullptr;
  if (leg.has_rpc) {
    leg.rpc = *message.rpc;
    leg.rpc_decoded = message.rpc_decoded;
  }
  leg.payload_whole = message.payload.size() == message.payload_length;
  leg.body_digest = body_digest(message);
  leg.send_limit = message.standing->send_limit;
  leg.callbacks = message.standing->callbacks;
  leg.back_channel = message.standing->back_channel;
}

SegmentFlow& add_segment(Exchange& exchange, ChunkKind kind, const rpcrdma::Segment& target) {
  SegmentFlow& segment = exchange.segments.add();
  segment.kind = kind;
  segment.chunk = 0;
  segment.position = 0;
  segment.target = target;
  segment.moved.clear();
  segment.requested.clear();
  segment.ops = 0;
  segment.frames.clear();
  segment.returned.reset();
  segment.after_reply = false;
  segment.last_op = 0;
  segment.data.clear();
  segment.held.clear();
  return segment;
}

// Both are false where there were more than are followed.
bool add_reads(Exchange& exchange, ChunkKind kind, const rpcrdma::ChunkLists& chunks, size_t most) {
  for (const rpcrdma::ReadSegment& read : chunks.reads) {
    if (exchange.segments.size() == most) {
      return false;
    }
    add_segment(exchange, kind, read.target).position = read.position;
  }
  return true;
}

bool add_segments(Exchange& exchange, const rpcrdma::ChunkLists& chunks, size_t most) {
  if (!add_reads(exchange, ChunkKind::read, chunks, most)) {
    return false;
  }
  for (uint32_t i = 0; i < chunks.writes.size(); ++i) {
    for (const rpcrdma::Segment& target : chunks.writes[i].target) {
      if (exchange.segments.size() == most) {
        return false;
      }
      add_segment(exchange, ChunkKind::write, target).chunk = i;
    }
  }
  for (const rpcrdma::WriteChunk& chunk : chunks.reply) {
    for (const rpcrdma::Segment& target : chunk.target) {
      if (exchange.segments.size() == most) {
        return false;
      }
      add_segment(exchange, ChunkKind::reply, target);
    }
  }
  return true;
}

}  // namespace

const Exchange* ExchangeTable::find_open(Side requester, uint32_t xid) const {
  const auto found = open_.find(key(requester, xid));
  return found == open_.end() ? nullptr : &slots_[found->second]->exchange;
}

uint32_t ExchangeTable::take_slot() {
  if (!free_.empty()) {
    const uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  slots_.push_back(std::make_unique<Slot>());
  return static_cast<uint32_t>(slots_.size() - 1);
}

void ExchangeTable::begin(Slot& slot, const Message& message, Side requester) {
  slot.opened = ++opened_;
  slot.gaps = gaps_;
  slot.repeats = repeats_;
  slot.naks = naks_;
  slot.cut = slot.unreadable = false;
  slot.replied = slot.outstanding = slot.parts = false;
  Exchange& x = slot.exchange;
  x.connection = &connection_;
  x.xid = message.header->xid;
  x.requester = requester;
  x.version = message.header->version;
  x.call.reset();
  x.reply.reset();
  x.status = Status::no_reply;
  x.procedure.reset();
  x.answer.reset();
  x.segments.clear();
  x.invalidated.reset();
  x.error.reset();
  x.done.reset();
  x.undelivered = 0;
  x.repeats = x.naks = 0;
  x.asked.kept = x.answered.kept = false;
  x.resent = 0;
  x.shares_memory = false;
  x.call_inline.clear();
  x.reply_inline.clear();
  x.call_inline_length = x.reply_inline_length = 0;
}

void ExchangeTable::on_call(const Message& call) {
  const auto earlier = open_.find(key(call.from, call.header->xid));
  uint32_t resent = 0;
  if (earlier != open_.end()) {
    resent = slots_[earlier->second]->exchange.resent + 1;
    tell(earlier->second, Doubt::frames_missing);  // the XID is used again: the Reply was not captured
  } else if (open_.size() >= kMaxOpen) {
    const auto oldest = std::min_element(open_.begin(), open_.end(), [&](const auto& x, const auto& y) {
      return slots_[x.second]->opened < slots_[y.second]->opened;
    });
    accounts_[rdma::index(slots_[oldest->second]->exchange.requester)].forgot = true;
    tell(oldest->second, Doubt::frames_missing);
  }
  const uint32_t number = take_slot();
  Slot& slot = *slots_[number];
  begin(slot, call, call.from);
  Exchange& x = slot.exchange;
  x.call = call.at;
  x.resent = resent;
  Account& account = accounts_[rdma::index(call.from)];
  ++account.open;
  ++account.certain;
  slot.outstanding = true;
  slot.account_gaps = account.gaps;
  if (settings_.for_rules) {
    keep_leg(x.asked, call);
  }
  slot.cut = call.decoded.stop && call.decoded.stop->limit == wire::Limit::capture;
  slot.cut |= !add_segments(x, call.header->chunks, kMaxSegments);
  const rpcrdma::TransportHeader& h = *call.header;
  if (slot.cut) {
    access_.note_cut(call.from);  // it may offer more than could be read
  } else if (!header_whole(call) || !rpcrdma::procedure_exists(h.version, h.procedure)) {
    slot.unreadable = true;
    access_.begin_unreadable(call.from);
  }
  keep(x.call_inline, call.payload, settings_.payload_limit);
  x.call_inline_length = call.payload_length;
  if (call.rpc != nullptr) {
    x.procedure = Exchange::Procedure{call.rpc->program, call.rpc->version, call.rpc->procedure};
  }
  open_[key(call.from, x.xid)] = number;
  advertise(number, 0);
}

void ExchangeTable::on_reply(const Message& reply) {
  const Side requester = rdma::other(reply.from);
  const auto found = open_.find(key(requester, reply.header->xid));
  const bool known = found != open_.end();
  if (!known && reply.header->is_error() && connection_.seen_from_start && gaps_ == 0) {
    return;  // answers nothing that could be told as an RPC
  }
  const uint32_t number = known ? found->second : take_slot();
  Slot& slot = *slots_[number];
  if (known) {
    open_.erase(found);
    close_account(slot);
  } else {
    begin(slot, reply, requester);
    ++orphans_;
    early_.note_reply(requester, reply.header->xid, reply.at.time_ns);
  }
  Exchange& x = slot.exchange;
  x.reply = reply.at;
  if (settings_.for_rules) {
    keep_leg(x.answered, reply);
  }
  x.status = reply.header->is_error() ? Status::transport_error : known ? Status::complete : Status::no_call;
  if (reply.header->is_error()) {
    x.error = reply.header->error_code();
    x.error_version = reply.header->version;
  }
  if (reply.send_invalidate) {
    x.invalidated = reply.invalidated;
  }
  if (reply.rpc != nullptr && !reply.rpc->call() && !reply.rpc_decoded.stop && !reply.header->is_nomsg()) {
    x.answer = reply.rpc->answer();
  }
  keep(x.reply_inline, reply.payload, settings_.payload_limit);
  x.reply_inline_length = reply.payload_length;
  take_returned(slot, reply);
  slot.replied = true;
  count_disturbances(slot);
  mark_over(number, requester);
  if (reply.send_invalidate) {
    live_[rdma::index(requester)].mark_rescinded(reply.invalidated, reply.at);
  }
  take_reads(number, reply);
  const bool owing = !reply.header->chunks.reads.empty();
  close(number, reply.at.time_ns + (owing ? kDonePatienceNs : settings_.linger_ns), owing);
}

// RFC 5666 §3.5: memory of the Responder that the Requester is to read, where what would follow if this were
// a Call's list follows all the same.
void ExchangeTable::take_reads(uint32_t number, const Message& reply) {
  Slot& slot = *slots_[number];
  const auto first = static_cast<uint32_t>(slot.exchange.segments.size());
  if (!add_reads(slot.exchange, ChunkKind::result, reply.header->chunks, kMaxSegments) ||
      reply.decoded.stop) {
    access_.note_cut(reply.from);  // it may offer more than could be read
  }
  advertise(number, first);
}

// The Exchange is answered, and told when it is due.
void ExchangeTable::close(uint32_t number, int64_t due_ns, bool owing) {
  std::deque<uint32_t>& queue = owing ? owing_ : closing_;
  slots_[number]->due_ns = due_ns;
  queue.push_back(number);
  if (queue.size() > (owing ? kMaxOwing : kMaxClosing)) {
    const uint32_t oldest = queue.front();
    queue.pop_front();
    tell(oldest, Doubt::none);
  }
}

// The Responder has its memory back (RFC 5666 §3.8).
void ExchangeTable::on_done(const Message& done) {
  const auto found = std::find_if(owing_.begin(), owing_.end(), [&](uint32_t number) {
    const Exchange& x = slots_[number]->exchange;
    return x.requester == done.from && x.xid == done.header->xid;
  });
  if (found == owing_.end()) {
    return;
  }
  const uint32_t number = *found;
  owing_.erase(found);
  Exchange& x = slots_[number]->exchange;
  x.done = done.at;
  for (const SegmentFlow& segment : x.segments) {
    if (segment.kind == ChunkKind::result && segment.requested.total() > segment.moved.total()) {
      x.undelivered += segment.requested.total() - segment.moved.total();
    }
  }
  mark_over(number, rdma::other(x.requester));
  close(number, done.at.time_ns + settings_.linger_ns, false);
}

void ExchangeTable::on_nameless(Side from) {
  access_.note_cut(from);
  accounts_[rdma::index(from)].forgot = true;
}

// The lengths that the Reply returns stand in the Call's order (RFC 8166
// §3.4.6); a segment whose handle and offset differ is not the Call's.
void ExchangeTable::take_returned(Slot& slot, const Message& reply) {
  Exchange& x = slot.exchange;
  const auto give = [&](ChunkKind kind, uint32_t chunk, size_t place, const rpcrdma::Segment& target) {
    size_t seen = 0;
    for (SegmentFlow& segment : x.segments) {
      if (segment.kind == kind && segment.chunk == chunk && seen++ == place &&
          segment.target.handle == target.handle && segment.target.offset == target.offset) {
        segment.returned = target.length;
      }
    }
  };
  const rpcrdma::ChunkLists& chunks = reply.header->chunks;
  for (uint32_t i = 0; i < chunks.writes.size(); ++i) {
    for (size_t k = 0; k < chunks.writes[i].target.size(); ++k) {
      give(ChunkKind::write, i, k, chunks.writes[i].target[k]);
    }
  }
  for (const rpcrdma::WriteChunk& chunk : chunks.reply) {
    for (size_t k = 0; k < chunk.target.size(); ++k) {
      give(ChunkKind::reply, 0, k, chunk.target[k]);
    }
  }
}

}  // namespace steertag::flow
