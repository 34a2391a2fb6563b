// SPDX-License-Identifier: GPL-2.0-or-later
#include "streams.h"

#include <algorithm>

#include "nfs/padded.h"
#include "nfs/reply.h"

namespace steertag::plugin {
namespace {

struct Piece {
  uint32_t position = 0;
  Bytes data;
  const base::RangeSet* held = nullptr;  // null: all of `data`
  uint64_t length = 0;
};

// Appends a piece; what is not held becomes zeros.
bool append(Stream& into, const Piece& piece) {
  if (into.bytes.size() > kMaxStream || piece.length > kMaxStream - into.bytes.size()) {
    return false;
  }
  const uint64_t at = into.bytes.size();
  const Bytes data = slice(piece.data, 0, static_cast<size_t>(piece.length));
  uint64_t there = 0;
  uint64_t solid = data.size();
  if (piece.held == nullptr) {
    into.bytes.append(data, data.size());
    there = data.size();
  } else {
    solid = std::min<uint64_t>(piece.held->prefix(), data.size());
    for (const base::RangeSet::Interval& i : piece.held->intervals()) {
      const uint64_t end = std::min<uint64_t>(i.end, data.size());
      if (i.begin < end) {
        into.bytes.append_zeros(at + i.begin - into.bytes.size());
        into.bytes.append(slice(data, static_cast<size_t>(i.begin)), end - i.begin);
        there += end - i.begin;
      }
    }
  }
  into.bytes.append_zeros(at + piece.length - into.bytes.size());
  into.missing += piece.length - there;
  if (into.solid == at) {
    into.solid += solid;
  }
  return true;
}

constexpr uint64_t pad(uint64_t length) {
  return (4 - length % 4) % 4;
}

// RFC 8166 §3.4.5: into the Position-Zero Read chunk, or else the inline bytes, each other Read chunk goes in
// at its Position, padded to a multiple of four.
bool put_back(const Piece& inlined, std::vector<Piece>& reads, Stream& into) {
  into = {};
  std::stable_sort(reads.begin(), reads.end(),
                   [](const Piece& x, const Piece& y) { return x.position < y.position; });
  Stream base;
  auto read = reads.begin();
  for (; read != reads.end() && read->position == 0; ++read) {
    if (!append(base, *read)) {
      return false;
    }
  }
  if (base.bytes.empty() && !append(base, inlined)) {
    return false;
  }
  into.missing = base.missing;
  uint64_t taken = 0;  // of `base`
  const auto take = [&](uint64_t count) {
    if (into.solid == into.bytes.size()) {
      into.solid += std::min(count, base.solid - std::min(base.solid, taken));
    }
    into.bytes.append(base.bytes, taken, count);
    taken += count;
  };
  while (read != reads.end()) {
    const uint32_t position = read->position;
    if (position < into.bytes.size() || position - into.bytes.size() > base.bytes.size() - taken) {
      return false;
    }
    take(position - into.bytes.size());
    uint64_t chunk = 0;
    for (; read != reads.end() && read->position == position; ++read) {
      chunk += read->length;
      if (!append(into, *read)) {
        return false;
      }
    }
    into.bytes.append_zeros(pad(chunk));
  }
  take(base.bytes.size() - taken);
  return into.bytes.size() <= kMaxStream;
}

Bytes content(const flow::SegmentFlow& segment) {
  return segment.data();
}

// What was read of the Call's, or of the Reply's, Read list.
std::vector<Piece> read_list(const flow::Exchange& exchange, flow::ChunkKind kind) {
  std::vector<Piece> reads;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    if (segment.kind == kind) {
      reads.push_back({segment.position, content(segment), &segment.held(), segment.target.length});
    }
  }
  return reads;
}

// The bytes that Write chunk number `chunk` returned, contiguously.
bool chunk_content(const flow::Exchange& exchange, const rpcrdma::WriteChunk& returned, flow::ChunkKind kind,
                   uint32_t chunk, Stream& into) {
  size_t place = 0;
  for (const flow::SegmentFlow& segment : exchange.segments) {
    if (segment.kind != kind || (kind == flow::ChunkKind::write && segment.chunk != chunk)) {
      continue;
    }
    if (place >= returned.target.size()) {
      break;
    }
    const uint32_t length = returned.target[place++].length;
    if (!append(into, {0, content(segment), &segment.held(), length})) {
      return false;
    }
  }
  return true;
}

// Inserts the items that `walk` found in Write chunks into the stream of a Reply.
bool put_items(const flow::Exchange& exchange, const rpcrdma::TransportHeader& header,
               const nfs::ReplyWalk& walk, const Stream& bare, Stream& into) {
  uint64_t taken = 0;
  for (const nfs::Item& item : walk.items) {
    if (item.placed != nfs::Placed::in_chunk || item.chunk >= header.chunks.writes.size() ||
        item.position < taken || item.position > bare.bytes.size() || item.count > kMaxStream) {
      continue;
    }
    Stream data;
    if (!chunk_content(exchange, header.chunks.writes[item.chunk], flow::ChunkKind::write, item.chunk,
                       data)) {
      return false;
    }
    into.bytes.append(bare.bytes, taken, item.position - taken);
    // RFC 5666 let the chunk carry the padding, too: only as many bytes as the count word says are used.
    into.missing += data.missing;
    into.bytes.append(data.bytes, 0, item.count);
    if (!item.pad_inline) {
      into.bytes.append_zeros(pad(item.count));
    }
    if (into.bytes.size() > kMaxStream) {
      return false;
    }
    taken = item.position;
  }
  into.bytes.append(bare.bytes, taken, bare.bytes.size() - taken);
  return into.bytes.size() <= kMaxStream;
}

}  // namespace

bool has_reads(const rpcrdma::TransportHeader& header) {
  return !header.chunks.reads.empty();
}

bool reduced_reply(const rpcrdma::TransportHeader& header) {
  return !header.chunks.writes.empty() || !header.chunks.reply.empty() || !header.chunks.reads.empty();
}

bool promise(const flow::Message& message, Stream& into) {
  std::vector<Piece> reads;
  for (const rpcrdma::ReadSegment& segment : message.header->chunks.reads) {
    reads.push_back({segment.position, {}, nullptr, segment.target.length});
  }
  return put_back({0, message.payload, nullptr, message.payload_length}, reads, into);
}

bool build_call(const flow::Exchange& exchange, Stream& into) {
  std::vector<Piece> reads = read_list(exchange, flow::ChunkKind::read);
  return put_back({0, exchange.call_inline, nullptr, exchange.call_inline_length}, reads, into);
}

namespace {

// `payload` without the pad that a walk has found.
bool leave_out(const base::List<Range>& pads, Bytes payload, uint32_t payload_length, Stream& into) {
  uint32_t from = 0;
  for (const Range& pad : pads) {
    if (!append(into, {0, slice(payload, from), nullptr, pad.offset - from})) {
      return false;
    }
    from = pad.end();
  }
  return append(into, {0, slice(payload, from), nullptr, payload_length - from});
}

}  // namespace

bool unpadded_call(const flow::Message& call, Stream& into) {
  into = {};
  nfs::CallWalk walk;
  const rpcrdma::TransportHeader& header = *call.header;
  if (!header.padding || !header.chunks.reads.empty()) {
    return false;
  }
  nfs::walk_padded_call({call.payload, nullptr, call.payload_length}, *header.padding,
                        call.decoded.header_length, walk);
  return !walk.pads.empty() && leave_out(walk.pads, call.payload, call.payload_length, into);
}

bool unpadded_reply(const flow::Exchange& exchange, const flow::Message& reply, Stream& into) {
  into = {};
  const rpcrdma::TransportHeader& header = *reply.header;
  if (!header.padding || !header.chunks.reads.empty() || !header.chunks.writes.empty()) {
    return false;
  }
  Stream asked;
  nfs::CallWalk call;
  if (!exchange.call_message.header.padding && build_call(exchange, asked)) {
    nfs::walk_call({asked.bytes.front(asked.solid), nullptr, asked.bytes.size()}, call);
  } else if (exchange.call_message.header.padding) {
    nfs::walk_padded_call({exchange.call_inline, nullptr, exchange.call_inline_length},
                          *exchange.call_message.header.padding, exchange.call_message.decoded.header_length,
                          call);
  }
  nfs::ReplyWalk walk;
  nfs::walk_padded_reply({reply.payload, nullptr, reply.payload_length}, *header.padding,
                         reply.decoded.header_length, call, {}, walk);
  return !walk.pads.empty() && leave_out(walk.pads, reply.payload, reply.payload_length, into);
}

bool build_reply(const flow::Exchange& exchange, const rpcrdma::TransportHeader& header, Bytes payload,
                 uint32_t payload_length, Stream& into) {
  into = {};
  Stream bare;
  // Nothing may follow the header of a NOMSG.
  const bool inlined = payload_length != 0 && !header.is_nomsg();
  std::vector<Piece> reads = read_list(exchange, flow::ChunkKind::result);  // RFC 5666 §3.5
  if (inlined || !reads.empty()) {
    if (!put_back({0, inlined ? payload : Bytes{}, nullptr, inlined ? payload_length : 0}, reads, bare)) {
      return false;
    }
  } else if (!header.chunks.reply.empty() &&
             !chunk_content(exchange, header.chunks.reply[0], flow::ChunkKind::reply, 0, bare)) {
    return false;
  }
  std::vector<uint64_t> returned;
  bool used = false;
  for (const rpcrdma::WriteChunk& chunk : header.chunks.writes) {
    returned.push_back(chunk.length());
    used |= returned.back() != 0;
  }
  if (!used) {
    into = std::move(bare);
    return true;
  }
  Stream asked;
  nfs::CallWalk call;
  if (build_call(exchange, asked)) {
    nfs::walk_call({asked.bytes.front(asked.solid), nullptr, asked.bytes.size()}, call);
  }
  nfs::ReplyWalk walk;
  nfs::walk_reply({bare.bytes.front(bare.solid), nullptr, bare.bytes.size()}, call, returned, walk);
  into.missing = bare.missing;
  if (!walk.operations_walked()) {
    // The place of the chunks cannot be determined: what precedes the first doubt is shown.
    into.bytes.append(bare.bytes, 0, std::min<uint64_t>(walk.offset, bare.bytes.size()));
    into.open = true;
    return true;
  }
  return put_items(exchange, header, walk, bare, into);
}

}  // namespace steertag::plugin
