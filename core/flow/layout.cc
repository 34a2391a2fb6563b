#include "flow/layout.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace steertag::flow {
namespace {

Stretch stretch_of(const SegmentFlow& segment, uint64_t length) {
  return {segment.data(), &segment.held(), length, 0};
}

Stretch pad(uint64_t length) {
  static constexpr uint8_t kZeros[3] = {};
  return {kZeros, nullptr, (4 - length % 4) % 4, 0};
}

}  // namespace

void Layout::clear() {
  stretches_.clear();
  length_ = 0;
  reads_.clear();
  chunks_.clear();
}

void Layout::append(const Stretch& stretch) {
  if (stretch.length != 0) {
    stretches_.push_back(stretch);
    length_ += stretch.length;
  }
}

void Layout::insert(uint32_t position, const Stretch& stretch) {
  reads_.push_back({position, reads_.size(), stretch});
}

bool Layout::put_in_place() {
  if (reads_.empty()) {
    return true;
  }
  // Not stable_sort(), which allocates.
  std::sort(reads_.begin(), reads_.end(), [](const ReadSegment& x, const ReadSegment& y) {
    return std::tie(x.position, x.number) < std::tie(y.position, y.number);
  });
  auto read = reads_.begin();
  uint64_t whole = 0;  // bytes of Position zero
  for (; read != reads_.end() && read->position == 0; ++read) {
    whole += read->stretch.length;
  }
  if (whole != 0) {
    stretches_.clear();
    length_ = 0;
    std::for_each(reads_.begin(), read, [this](const ReadSegment& zero) { append(zero.stretch); });
  }
  std::swap(stretches_, apart_);
  uint64_t left = std::exchange(length_, 0);  // of what is apart
  stretches_.clear();
  auto next = apart_.begin();
  const auto take = [&](uint64_t count) {
    left -= count;
    while (count != 0) {
      Stretch part = *next;
      part.length = std::min(part.length, count);
      append(part);
      count -= part.length;
      next->at += part.length;
      next->length -= part.length;
      next += next->length == 0 ? 1 : 0;
    }
  };
  while (read != reads_.end()) {
    const uint32_t position = read->position;
    if (position < length_ || position - length_ > left) {
      return false;
    }
    take(position - length_);
    const uint64_t at = length_;
    uint64_t chunk = 0;
    for (; read != reads_.end() && read->position == position; ++read) {
      append(read->stretch);
      chunk += read->stretch.length;
    }
    append(pad(chunk));
    if (chunk != 0) {
      chunks_.push_back({at, chunk});
    }
  }
  take(left);
  return true;
}

bool advertises_reply_chunk(const Exchange& exchange, const rpcrdma::ChunkLists& returned) {
  if (returned.reply.empty()) {
    return true;
  }
  auto is = returned.reply[0].target.begin();
  const auto end = returned.reply[0].target.end();
  for (const SegmentFlow& was : exchange.segments) {
    if (was.kind != ChunkKind::reply || is == end) {
      continue;
    }
    if (was.target.handle != is->handle || was.target.offset != is->offset) {
      return false;
    }
    ++is;
  }
  return is == end;
}

bool lay_out_call(const Exchange& exchange, Layout& into) {
  into.clear();
  if (!exchange.call) {
    return false;
  }
  into.append({exchange.call_inline, nullptr, exchange.call_inline_length, 0});
  for (const SegmentFlow& segment : exchange.segments) {
    if (segment.kind == ChunkKind::read) {
      into.insert(segment.position, stretch_of(segment, segment.target.length));
    }
  }
  return into.put_in_place();
}

bool lay_out_reply(const Exchange& exchange, bool nomsg, const Stretch& inlined,
                   const rpcrdma::ChunkLists* returned, Layout& into) {
  into.clear();
  // What stands behind the header of a NOMSG has no business there.
  const bool in_chunk = nomsg || inlined.length == 0;
  const bool changed =
      returned == nullptr ? exchange.reply_chunk_changed : !advertises_reply_chunk(exchange, *returned);
  if (in_chunk && changed) {
    return false;
  }
  if (!in_chunk) {
    into.append(inlined);
  } else if (returned != nullptr && !returned->reply.empty()) {
    lay_out_returned(exchange, ChunkKind::reply, 0, returned->reply[0], into);
  }
  for (const SegmentFlow& segment : exchange.segments) {
    if (segment.kind == ChunkKind::reply && in_chunk && returned == nullptr) {
      into.append(stretch_of(segment, segment.returned.value_or(0)));
    } else if (segment.kind == ChunkKind::result && (segment.position != 0 || in_chunk)) {
      into.insert(segment.position, stretch_of(segment, segment.target.length));
    }
  }
  return into.put_in_place();
}

bool lay_out_reply(const Exchange& exchange, Layout& into) {
  const bool nomsg = exchange.reply_message.kept && exchange.reply_message.header.is_nomsg();
  const Stretch inlined{exchange.reply_inline, nullptr, exchange.reply_inline_length, 0};
  return exchange.reply && lay_out_reply(exchange, nomsg, inlined, nullptr, into);
}

void lay_out_returned(const Exchange& exchange, ChunkKind kind, uint32_t chunk,
                      const rpcrdma::WriteChunk& returned, Layout& into) {
  size_t next = 0;
  for (const SegmentFlow& segment : exchange.segments) {
    const bool of_it = segment.kind == kind && (kind != ChunkKind::write || segment.chunk == chunk);
    if (of_it && next < returned.target.size()) {
      into.append(stretch_of(segment, returned.target[next++].length));
    }
  }
}

nfs::Stream with_header(nfs::Stream stream, const KeptMessage& message) {
  const auto& reads = message.header.chunks.reads;
  const uint32_t length = message.rpc_decoded.header_length;
  const bool inserted = std::any_of(reads.begin(), reads.end(),
                                    [&](const rpcrdma::ReadSegment& read) { return read.position < length; });
  const bool whole = length <= stream.stretches().front().data.size();
  if (message.has_rpc && !message.header.padding && !message.rpc_decoded.stop && whole && !inserted) {
    stream.header = &message.rpc;
    stream.header_length = length;
  }
  return stream;
}

}  // namespace steertag::flow
