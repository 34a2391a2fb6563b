#include "rpc/exchange_fill.h"

#include <algorithm>

#include "flow/layout.h"
#include "flow/payload.h"
#include "wire/reader.h"

namespace steertag::rpc {
namespace {

void keep(std::vector<uint8_t>& into, Bytes bytes, uint32_t limit) {
  const Bytes kept = slice(bytes, 0, limit);
  into.assign(kept.begin(), kept.end());
}

SegmentFlow* add_segment(Exchange& exchange, ChunkKind kind, const rpcrdma::Segment& target) {
  if (exchange.segments.size() == kMaxSegments) {
    return nullptr;
  }
  SegmentFlow& segment = exchange.segments.add();
  segment.kind = kind;
  segment.target = target;
  return &segment;
}

Followed add_reads(Exchange& exchange, ChunkKind kind, const rpcrdma::ChunkLists& chunks) {
  for (const rpcrdma::ReadSegment& read : chunks.reads) {
    SegmentFlow* segment = add_segment(exchange, kind, read.target);
    if (segment == nullptr) {
      return Followed::some;
    }
    segment->position = read.position;
  }
  return Followed::all;
}

Followed add_writes(Exchange& exchange, ChunkKind kind, const base::List<rpcrdma::WriteChunk>& chunks) {
  for (uint32_t i = 0; i < chunks.size(); ++i) {
    for (const rpcrdma::Segment& target : chunks[i].target) {
      SegmentFlow* segment = add_segment(exchange, kind, target);
      if (segment == nullptr) {
        return Followed::some;
      }
      segment->chunk = kind == ChunkKind::write ? i : 0;
    }
  }
  return Followed::all;
}

void give(SegmentFlow& segment, const rpcrdma::Segment& returned) {
  if (segment.target.handle == returned.handle && segment.target.offset == returned.offset) {
    segment.returned = returned.length;
  }
}

// The lengths that the Reply returns stand in the Call's order (RFC 8166
// §3.4.6); a segment whose handle and offset differ is not the Call's.
void take_returned(Exchange& exchange, const rpcrdma::ChunkLists& chunks) {
  uint32_t chunk = UINT32_MAX;  // of the segment before
  size_t in_chunk = 0, in_reply = 0;
  exchange.reply_chunk_changed = !advertises_reply_chunk(exchange, chunks);
  for (SegmentFlow& segment : exchange.segments) {
    if (segment.kind == ChunkKind::write) {
      in_chunk = segment.chunk == chunk ? in_chunk + 1 : 0;
      chunk = segment.chunk;
      if (chunk < chunks.writes.size() && in_chunk < chunks.writes[chunk].target.size()) {
        give(segment, chunks.writes[chunk].target[in_chunk]);
      }
    } else if (segment.kind == ChunkKind::reply && !chunks.reply.empty() &&
               in_reply < chunks.reply[0].target.size()) {
      give(segment, chunks.reply[0].target[in_reply++]);
    }
  }
}

}  // namespace

Followed fill_call(Exchange& exchange, const Message& call, uint32_t payload_limit) {
  exchange.call = call.at;
  keep(exchange.call_inline, call.payload, payload_limit);
  exchange.call_inline_length = call.payload_length;
  exchange.call_legible = header_whole(call);
  exchange.call_padding = call.header->padding;
  exchange.call_header_length = call.decoded.header_length;
  if (call.rpc != nullptr) {
    exchange.procedure = Exchange::Procedure{call.rpc->program, call.rpc->version, call.rpc->procedure};
  }
  const rpcrdma::ChunkLists& chunks = call.header->chunks;
  const bool all = add_reads(exchange, ChunkKind::read, chunks) == Followed::all &&
                   add_writes(exchange, ChunkKind::write, chunks.writes) == Followed::all &&
                   add_writes(exchange, ChunkKind::reply, chunks.reply) == Followed::all;
  return all ? Followed::all : Followed::some;
}

void fill_reply(Exchange& exchange, const Message& reply, CallKnown known, uint32_t payload_limit) {
  exchange.reply = reply.at;
  exchange.status = reply.header->is_error()  ? Status::transport_error
                    : known == CallKnown::yes ? Status::complete
                                              : Status::no_call;
  if (reply.header->is_error()) {
    exchange.error = reply.header->error_code();
    exchange.error_version = reply.header->version;
  }
  if (reply.send_invalidate) {
    exchange.invalidated = reply.invalidated;
  }
  if (reply.rpc != nullptr && !reply.rpc->call() && !reply.rpc_decoded.stop && !reply.header->is_nomsg()) {
    exchange.answer = reply.rpc->answer();
  }
  keep(exchange.reply_inline, reply.payload, payload_limit);
  exchange.reply_inline_length = reply.payload_length;
  exchange.reply_legible = header_whole(reply);
  take_returned(exchange, reply.header->chunks);
}

Followed add_results(Exchange& exchange, const Message& reply) {
  return add_reads(exchange, ChunkKind::result, reply.header->chunks);
}

void fill_done(Exchange& exchange, const Message& done) {
  exchange.done = done.at;
  for (const SegmentFlow& segment : exchange.segments) {
    if (segment.kind == ChunkKind::result && segment.requested().total() > segment.moved().total()) {
      exchange.undelivered += segment.requested().total() - segment.moved().total();
    }
  }
}

bool advertises_all(const Exchange& call, const rpcrdma::ChunkLists& chunks) {
  const auto advertised = [&](const rpcrdma::Segment& named) {
    return std::any_of(call.segments.begin(), call.segments.end(), [&](const SegmentFlow& segment) {
      return (segment.kind == ChunkKind::write || segment.kind == ChunkKind::reply) &&
             segment.target.handle == named.handle && segment.target.offset == named.offset;
    });
  };
  const auto all_advertised = [&](const rpcrdma::WriteChunk& chunk) {
    return std::all_of(chunk.target.begin(), chunk.target.end(), advertised);
  };
  return std::all_of(chunks.writes.begin(), chunks.writes.end(), all_advertised) &&
         std::all_of(chunks.reply.begin(), chunks.reply.end(), all_advertised);
}

std::optional<bool> reads_as_reply(const Exchange& exchange) {
  for (const SegmentFlow& segment : exchange.segments) {
    if (segment.kind == ChunkKind::result && segment.position == 0 && segment.target.length != 0) {
      const Bytes front = slice(segment.data(), 0, segment.held().prefix());
      if (front.size() < through_rpc_type) {
        return std::nullopt;
      }
      return wire::big_endian<uint32_t>(front.data()) == exchange.xid &&
             wire::big_endian<uint32_t>(front.data() + 4) == static_cast<uint32_t>(rpcrdma::MsgType::reply);
    }
  }
  return std::nullopt;
}

void move_results(Exchange& answered, Exchange& call) {
  size_t kept = 0;
  while (kept < answered.segments.size() && answered.segments[kept].kind != ChunkKind::result) {
    answered.segments[kept++].returned.reset();
  }
  for (size_t i = 0; i < call.segments.size() && kept + i < answered.segments.size(); ++i) {
    if (call.segments[i].kind == ChunkKind::read) {
      call.segments[i].traffic = answered.segments[kept + i].traffic;
    }
  }
  while (answered.segments.size() > kept) {
    answered.segments.back() = {};
    answered.segments.drop_last();
  }
  answered.reply.reset();
  answered.reply_chunk_changed = false;
  answered.reply_by_xid = false;
  answered.invalidated.reset();
  answered.status = Status::no_reply;
  answered.reply_message.kept = false;
  answered.reply_inline.clear();
  answered.reply_inline_length = 0;
}

void find_procedure(Exchange& exchange) {
  if (exchange.procedure || exchange.segments.empty() || exchange.call_inline_length != 0) {
    return;
  }
  PayloadStream stream;
  rpcrdma::RpcHeader rpc;
  if (!call_payload(exchange, stream, kFront)) {
    return;
  }
  const rpcrdma::RpcDecoded read = stream.decode_header(rpc);
  if (read.header_length >= rpcrdma::rpc_through_procedure && rpc.call() && rpc.xid == exchange.xid) {
    exchange.procedure = Exchange::Procedure{rpc.program, rpc.version, rpc.procedure};
  }
}

void find_answer(Exchange& exchange) {
  if (exchange.answer || exchange.reply_inline_length != 0 || exchange.reply_chunk_changed) {
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
    const Bytes front = slice(segment.data(), 0, segment.held().prefix());
    const auto read = rpcrdma::decode(slice(front, 0, length), length, rpc);
    if (!read.stop && rpc.type == rpcrdma::MsgType::reply && rpc.xid == exchange.xid) {
      exchange.answer = rpc.answer();
    }
    return;
  }
}

}  // namespace steertag::rpc
