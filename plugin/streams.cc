// SPDX-License-Identifier: GPL-2.0-or-later
#include "streams.h"

#include <algorithm>

#include "flow/layout.h"
#include "nfs/padded.h"
#include "nfs/reply.h"

namespace steertag::plugin {
namespace {

// Copies what was captured; the rest is zeros. False where that would be too long.
bool copy(const flow::Layout& layout, Stream& into) {
  into = {};
  if (layout.length() > kMaxStream) {
    return false;
  }
  uint64_t at = 0;
  for (const flow::Stretch& stretch : layout.stretches()) {
    into.missing += stretch.length;
    flow::each_captured(stretch, [&](uint64_t offset, Bytes run) {
      into.bytes.append_zeros(at + offset - into.bytes.size());
      into.solid += into.solid == at + offset ? run.size() : 0;
      into.bytes.append(run, run.size());
      into.missing -= run.size();
    });
    at += stretch.length;
  }
  into.bytes.append_zeros(at - into.bytes.size());
  return true;
}

constexpr uint64_t pad(uint64_t length) {
  return (4 - length % 4) % 4;
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
    flow::Layout chunk;
    flow::lay_out_returned(exchange, flow::ChunkKind::write, item.chunk, header.chunks.writes[item.chunk],
                           chunk);
    Stream data;
    if (!copy(chunk, data)) {
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
  flow::Layout layout;
  layout.append({message.payload, nullptr, message.payload_length, 0});
  for (const rpcrdma::ReadSegment& segment : message.header->chunks.reads) {
    layout.insert(segment.position, {{}, nullptr, segment.target.length, 0});
  }
  return layout.put_in_place() && copy(layout, into);
}

bool build_call(const flow::Exchange& exchange, Stream& into) {
  flow::Layout layout;
  return flow::lay_out_call(exchange, layout) && copy(layout, into);
}

namespace {

// `payload` without the pad that a walk has found.
bool leave_out(const base::List<Range>& pads, Bytes payload, uint32_t payload_length, Stream& into) {
  flow::Layout layout;
  uint32_t from = 0;
  for (const Range& pad : pads) {
    layout.append({payload, nullptr, pad.offset - from, from});
    from = pad.end();
  }
  layout.append({payload, nullptr, payload_length - from, from});
  return copy(layout, into);
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
  flow::Layout layout;
  if (!flow::lay_out_reply(exchange, header.is_nomsg(), {payload, nullptr, payload_length, 0}, &header.chunks,
                           layout) ||
      !copy(layout, bare)) {
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
