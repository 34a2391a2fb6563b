#include "rules/upper_layer.h"

#include <algorithm>

#include "rules/reading.h"

namespace steertag::rules {

namespace {

size_t count_results(const flow::Exchange& exchange) {
  return static_cast<size_t>(std::count_if(
      exchange.segments.begin(), exchange.segments.end(),
      [](const flow::SegmentFlow& segment) { return segment.kind == flow::ChunkKind::result; }));
}

// Every segment of the Call is followed by the Exchange; it follows so many and no more.
bool followed(const flow::Exchange& exchange) {
  return exchange.call_message.header.chunks.segments() == exchange.segments.size() - count_results(exchange);
}

// A payload conveyed twice leaves open what the message is; so do Read chunks of an RDMA_MSGP, of whose
// Positions nobody has said whether they count the pad.
bool one_payload(const flow::Exchange& exchange) {
  const rpcrdma::TransportHeader& header = exchange.call_message.header;
  return (!header.padding || header.chunks.reads.empty()) &&
         header.chunks.has_position_zero() == header.is_nomsg();
}

nfs::Stream laid_out(const flow::Layout& layout) {
  nfs::Stream stream(layout.stretches(), layout.length());
  stream.chunks = layout.chunks();
  return stream;
}

// `stream`, with the RPC header that was read when the message came: it is the front of what is inline.
nfs::Stream with_header(nfs::Stream stream, const flow::KeptMessage& message) {
  const auto& reads = message.header.chunks.reads;
  const uint32_t length = message.rpc_decoded.header_length;
  const bool inserted = std::any_of(reads.begin(), reads.end(),
                                    [&](const rpcrdma::ReadSegment& read) { return read.position < length; });
  const bool whole = length <= stream.stretches().front().data.size();
  if (message.has_rpc && !message.rpc_decoded.stop && whole && !inserted) {
    stream.header = &message.rpc;
    stream.header_length = length;
  }
  return stream;
}

}  // namespace

Outcome legible(const flow::KeptMessage& leg) {
  return leg.kept ? whole(leg.decoded) : Outcome::not_applicable;
}

void UpperLayer::begin(const flow::Exchange& exchange) {
  exchange_ = &exchange;
  call_walked_ = call_known_ = reply_walked_ = reply_known_ = reduced_walked_ = false;
  call_padded_ = reply_padded_ = true;
  binding_known_ = returned_known_ = chunks_known_ = result_chunks_known_ = false;
}

const rpcrdma::RpcHeader* UpperLayer::header() {
  const flow::KeptMessage& call_message = exchange_->call_message;
  if (!exchange_->call || legible(call_message) != Outcome::done) {
    return nullptr;
  }
  if (call_message.has_rpc) {
    return !call_message.rpc_decoded.stop && call_message.rpc.call() && call_message.rpc.rpcvers == 2
               ? &call_message.rpc
               : nullptr;
  }
  const nfs::CallWalk* walk = call_message.header.is_nomsg() ? call() : nullptr;
  return walk != nullptr && walk->header_known ? &walk->rpc : nullptr;
}

const nfs::CallWalk* UpperLayer::call() {
  if (!call_walked_) {
    call_walked_ = true;
    const flow::Exchange& x = *exchange_;
    call_known_ = x.call && legible(x.call_message) == Outcome::done && followed(x) && one_payload(x);
    if (call_known_ && x.call_message.header.padding) {
      call_padded_ =
          nfs::walk_padded_call({x.call_inline, nullptr, x.call_inline_length},
                                *x.call_message.header.padding, x.call_message.decoded.header_length, call_);
    } else if (call_known_ && x.call_message.header.chunks.reads.empty()) {
      nfs::walk_call(with_header({x.call_inline, nullptr, x.call_inline_length}, x.call_message), call_);
    } else if (call_known_) {
      call_known_ = flow::lay_out_call(x, layout_);
      nfs::walk_call(with_header(laid_out(layout_), x.call_message), call_);
    }
  }
  return call_known_ ? &call_ : nullptr;
}

// The Call's inline bytes as if nothing were missing from them.
const nfs::CallWalk* UpperLayer::walk_reduced() {
  if (!reduced_walked_) {
    reduced_walked_ = true;
    nfs::walk_call({exchange_->call_inline, nullptr, exchange_->call_inline_length}, reduced_);
  }
  return &reduced_;
}

const nfs::ReplyWalk* UpperLayer::reply() {
  if (!reply_walked_) {
    reply_walked_ = true;
    const flow::Exchange& x = *exchange_;
    const rpcrdma::TransportHeader& header = x.reply_message.header;
    const bool known = x.reply && legible(x.reply_message) == Outcome::done &&
                       (header.carries_payload() || header.is_nomsg());
    if (known && header.padding) {
      reply_known_ = header.chunks.reads.empty() && call() != nullptr;
      if (reply_known_) {
        reply_padded_ =
            nfs::walk_padded_reply({x.reply_inline, nullptr, x.reply_inline_length}, *header.padding,
                                   x.reply_message.decoded.header_length, call_, returned(), reply_);
      }
    } else if (known && header.is_msg() && header.chunks.reads.empty() && call() != nullptr) {
      reply_known_ = true;
      nfs::walk_reply(with_header({x.reply_inline, nullptr, x.reply_inline_length}, x.reply_message), call_,
                      returned(), reply_);
    } else if (known && walkable_reply() && call() != nullptr && flow::lay_out_reply(x, layout_)) {
      reply_known_ = !header.chunks.reads.empty() || header.chunks.reply_length() == layout_.length();
      nfs::walk_reply(laid_out(layout_), call_, returned(), reply_);
    }
  }
  return reply_known_ ? &reply_ : nullptr;
}

// Where what a Reply conveys in chunks of its own can be put together: a Position behind what a Write chunk
// has taken out may be counted with it or without.
bool UpperLayer::walkable_reply() const {
  const flow::Exchange& x = *exchange_;
  const rpcrdma::TransportHeader& header = x.reply_message.header;
  const rpcrdma::ChunkLists& chunks = header.chunks;
  if (chunks.reads.empty()) {
    return header.is_nomsg();
  }
  const bool inserted = std::any_of(chunks.reads.begin(), chunks.reads.end(),
                                    [](const rpcrdma::ReadSegment& read) { return read.position != 0; });
  const bool written = std::any_of(chunks.writes.begin(), chunks.writes.end(),
                                   [](const rpcrdma::WriteChunk& chunk) { return chunk.length() != 0; });
  return count_results(x) == chunks.reads.size() && chunks.has_position_zero() == header.is_nomsg() &&
         !(inserted && written);
}

std::span<const uint64_t> UpperLayer::returned() {
  if (!returned_known_) {
    returned_known_ = true;
    returned_.clear();
    for (const rpcrdma::WriteChunk& chunk : exchange_->reply_message.header.chunks.writes) {
      returned_.push_back(chunk.length());
    }
  }
  return returned_;
}

Outcome UpperLayer::comparable_writes() const {
  const flow::Exchange& x = *exchange_;
  if (!x.call || !x.reply || x.error || x.call_message.header.chunks.writes.empty()) {
    return Outcome::not_applicable;
  }
  const Outcome asked = legible(x.call_message), answered = legible(x.reply_message);
  if (asked != Outcome::done || answered != Outcome::done) {
    return asked != Outcome::done ? asked : answered;
  }
  const bool equal =
      x.call_message.header.chunks.writes.size() == x.reply_message.header.chunks.writes.size();
  return equal ? Outcome::done : Outcome::not_applicable;
}

}  // namespace steertag::rules
