#include "flow/payload.h"

#include <algorithm>

namespace steertag::flow {

namespace {

// A stretch of the stream: `length` bytes on the wire, of which some are held.
void append(PayloadStream& into, Bytes held, const base::RangeSet* which, uint64_t length) {
  const uint64_t at = into.length;
  into.length += length;
  const size_t use = static_cast<size_t>(std::min<uint64_t>(held.size(), length));
  if (use == 0 || into.bytes.size() < at) {
    return;  // nothing kept, or kept behind a stretch that was not
  }
  into.bytes.insert(into.bytes.end(), held.begin(), held.begin() + static_cast<ptrdiff_t>(use));
  if (which == nullptr) {
    into.captured.add(at, use);
    return;
  }
  for (const base::RangeSet::Interval& i : which->intervals()) {
    if (i.begin < use) {
      into.captured.add(at + i.begin, std::min<uint64_t>(i.end, use) - i.begin);
    }
  }
}

void append_segment(PayloadStream& into, const SegmentFlow& segment, uint64_t length) {
  append(into, segment.data(), &segment.held(), length);
}

void append_pad(PayloadStream& into, uint64_t chunk_length) {
  static constexpr uint8_t kZeros[3] = {};
  append(into, kZeros, nullptr, (4 - chunk_length % 4) % 4);
}

// The segments of one Read list: those of Position zero make up the front of `base`, the others are to be
// inserted.
std::vector<const SegmentFlow*> sort_out(const Exchange& exchange, ChunkKind kind, PayloadStream& base) {
  std::vector<const SegmentFlow*> inserted;
  for (const SegmentFlow& segment : exchange.segments) {
    if (segment.kind == kind && segment.position == 0) {
      append_segment(base, segment, segment.target.length);
    } else if (segment.kind == kind) {
      inserted.push_back(&segment);
    }
  }
  std::stable_sort(inserted.begin(), inserted.end(),
                   [](const SegmentFlow* x, const SegmentFlow* y) { return x->position < y->position; });
  return inserted;
}

// Puts each chunk into `base` at its Position; false where that cannot be.
bool insert(const PayloadStream& base, const std::vector<const SegmentFlow*>& inserted, PayloadStream& into) {
  uint64_t taken = 0;  // bytes of `base` so far
  const auto take = [&](uint64_t count) {
    base::RangeSet part;
    for (const base::RangeSet::Interval& i : base.captured.intervals()) {
      const uint64_t begin = std::max(i.begin, taken);
      const uint64_t end = std::min(i.end, taken + count);
      if (begin < end) {
        part.add(begin - taken, end - begin);
      }
    }
    append(into, slice(base.bytes, taken, count), &part, count);
    taken += count;
  };
  for (size_t i = 0; i < inserted.size();) {
    const uint32_t position = inserted[i]->position;
    if (position < into.length || position - into.length > base.length - taken) {
      return false;
    }
    take(position - into.length);
    uint64_t chunk = 0;
    for (; i < inserted.size() && inserted[i]->position == position; ++i) {
      append_segment(into, *inserted[i], inserted[i]->target.length);
      chunk += inserted[i]->target.length;
    }
    append_pad(into, chunk);
  }
  take(base.length - taken);
  return true;
}

}  // namespace

rpcrdma::RpcDecoded PayloadStream::decode_header(rpcrdma::RpcHeader& into) const {
  const auto whole = static_cast<uint32_t>(std::min<uint64_t>(length, UINT32_MAX));
  return rpcrdma::decode(slice(front(), 0, whole), whole, into);
}

bool call_payload(const Exchange& exchange, PayloadStream& into) {
  into = {};
  if (!exchange.call) {
    return false;
  }
  PayloadStream base;
  const std::vector<const SegmentFlow*> inserted = sort_out(exchange, ChunkKind::read, base);
  if (base.length == 0) {
    append(base, exchange.call_inline, nullptr, exchange.call_inline_length);
  }
  return insert(base, inserted, into);
}

void reply_chunk_payload(const Exchange& call, const rpcrdma::ChunkLists& chunks, PayloadStream& into) {
  into = {};
  if (chunks.reply.empty()) {
    return;
  }
  const auto& returned = chunks.reply[0].target;
  size_t next = 0;
  for (const SegmentFlow& segment : call.segments) {
    if (segment.kind == ChunkKind::reply && next < returned.size()) {
      append_segment(into, segment, returned[next++].length);
    }
  }
}

bool reply_payload(const Exchange& exchange, PayloadStream& into) {
  into = {};
  if (!exchange.reply) {
    return false;
  }
  PayloadStream base;
  const std::vector<const SegmentFlow*> inserted = sort_out(exchange, ChunkKind::result, base);
  // What stands behind the header of a NOMSG has no business there.
  const bool nomsg = exchange.reply_message.kept && exchange.reply_message.header.is_nomsg();
  const bool in_chunk = nomsg || exchange.reply_inline_length == 0;
  if (!in_chunk) {
    base = {};
    append(base, exchange.reply_inline, nullptr, exchange.reply_inline_length);
  } else if (base.length == 0) {
    for (const SegmentFlow& segment : exchange.segments) {
      if (segment.kind == ChunkKind::reply) {
        append_segment(base, segment, segment.returned.value_or(0));
      }
    }
  }
  return insert(base, inserted, into);
}

}  // namespace steertag::flow
