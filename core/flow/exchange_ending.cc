// How an Exchange ends in the table: when it is told, what is known against it by
// then, and what is left when its connection or the capture is over.

#include <algorithm>

#include "flow/exchange_table.h"
#include "flow/payload.h"
#include "rpcrdma/rpc.h"

namespace steertag::flow {

namespace {

// Packets that have waited for what is missing are told when the wait is given
// up: for this long after a gap, what an RPC moved may be told before its Call.
constexpr int64_t kUnsettledNs = 10'000'000;

}  // namespace

void ExchangeTable::flush(int64_t now_ns) {
  tell_due(closing_, now_ns);
  tell_due(owing_, now_ns);
}

void ExchangeTable::tell_due(std::deque<uint32_t>& queue, int64_t now_ns) {
  size_t told = 0;
  while (told < queue.size() && slots_[queue[told]]->due_ns <= now_ns) {
    tell(queue[told++], Doubt::none);
  }
  queue.erase(queue.begin(), queue.begin() + static_cast<ptrdiff_t>(told));
}

// What the capture may hide. What an RDMA Read asked for was delivered before
// the Responder could reply.
Doubt ExchangeTable::doubt_about(const Slot& slot) const {
  const Exchange& x = slot.exchange;
  if (slot.cut) {
    return Doubt::header_cut;
  }
  const bool near_gap =
      x.call && connection_.last_doubt_ns && x.call->time_ns - *connection_.last_doubt_ns < kUnsettledNs;
  if (slot.gaps != gaps_ || near_gap) {
    return Doubt::frames_missing;
  }
  if (slot.parts) {
    return Doubt::in_parts;
  }
  if (!x.call && (gaps_ != 0 || !connection_.seen_from_start)) {
    return Doubt::call_missing;
  }
  if (!x.reply && orphans_ != 0) {
    return Doubt::frames_missing;  // a Reply without a Call went by: taps may be merged out of order
  }
  const bool all_there = std::all_of(x.segments.begin(), x.segments.end(), [](const SegmentFlow& segment) {
    return segment.kind != ChunkKind::read || segment.moved.total() >= segment.requested.total();
  });
  return all_there ? Doubt::none : Doubt::frames_missing;
}

// `doubt`: what the caller knows against it.
void ExchangeTable::tell(uint32_t number, Doubt doubt) {
  Slot& slot = *slots_[number];
  Exchange& x = slot.exchange;
  x.backward = connection_.client && *connection_.client != x.requester;
  x.doubt = doubt_about(slot);
  if (x.doubt == Doubt::none) {
    x.doubt = doubt;
  }
  x.complete = x.doubt == Doubt::none;
  find_procedure(x);
  find_answer(x);
  if (!slot.replied) {
    count_disturbances(slot);
    open_.erase(key(x.requester, x.xid));
    close_account(slot);
  }
  take_back(number);
  if (telling_) {
    sink_.on_exchange(x);
  }
  free_.push_back(number);
}

void ExchangeTable::count_disturbances(Slot& slot) const {
  slot.exchange.repeats = repeats_ - slot.repeats;
  slot.exchange.naks = naks_ - slot.naks;
}

// A Reply in a Reply chunk says how the RPC ended at the front of what was written there, one that was
// left to be read (RFC 5666 §3.5), of what was read.
void ExchangeTable::find_answer(Exchange& exchange) {
  if (exchange.answer || exchange.reply_inline_length != 0) {
    return;
  }
  for (const SegmentFlow& segment : exchange.segments) {
    const bool left_to_read = segment.kind == ChunkKind::result && segment.position == 0;
    const uint32_t length = segment.kind == ChunkKind::reply ? segment.returned.value_or(0)
                            : left_to_read                   ? segment.target.length
                                                             : 0;
    if (length == 0) {
      continue;
    }
    rpcrdma::RpcHeader rpc;
    const Bytes front = slice(segment.data, 0, segment.held.prefix());
    const auto read = rpcrdma::decode(slice(front, 0, length), length, rpc);
    if (!read.stop && rpc.type == rpcrdma::MsgType::reply && rpc.xid == exchange.xid) {
      exchange.answer = rpc.answer();
    }
    return;
  }
}

// A Call in a Position-Zero Read chunk names its procedure in what was read.
void ExchangeTable::find_procedure(Exchange& exchange) {
  if (exchange.procedure || exchange.segments.empty() || exchange.call_inline_length != 0) {
    return;
  }
  PayloadStream stream;
  rpcrdma::RpcHeader rpc;
  if (!call_payload(exchange, stream)) {
    return;
  }
  const rpcrdma::RpcDecoded read = stream.decode_header(rpc);
  if (read.header_length >= 24 && rpc.call() && rpc.xid == exchange.xid) {
    exchange.procedure = Exchange::Procedure{rpc.program, rpc.version, rpc.procedure};
  }
}

void ExchangeTable::finish(bool over) {
  flush(INT64_MAX);
  std::vector<uint32_t> left;
  for (const auto& [id, number] : open_) {
    left.push_back(number);
  }
  std::sort(left.begin(), left.end(),
            [&](uint32_t x, uint32_t y) { return slots_[x]->opened < slots_[y]->opened; });
  for (const uint32_t number : left) {
    const Stamp& opened = *slots_[number]->exchange.call;
    const bool late = connection_.last_frame.time_ns - opened.time_ns >= settings_.settle_ns;
    tell(number, over || late ? Doubt::none : Doubt::capture_ended);
  }
}

void ExchangeTable::drop() {
  const auto forget = [&](uint32_t number) {
    take_back(number);
    free_.push_back(number);
  };
  for (const auto& [id, number] : open_) {
    forget(number);
  }
  for (std::deque<uint32_t>* queue : {&closing_, &owing_}) {
    std::for_each(queue->begin(), queue->end(), forget);
    queue->clear();
  }
  open_.clear();
  accounts_ = {};
}

}  // namespace steertag::flow
