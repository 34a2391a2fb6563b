#include "flow/payload.h"

#include <algorithm>

namespace steertag::flow {
namespace {

// Memory that is kept for the next message.
constexpr size_t kMaxSpare = 256 << 10;

// Puts together what was captured, as far as it is kept without a break.
void join(PayloadStream& into) {
  if (into.joined.capacity() > kMaxSpare) {
    into.joined = {};
  }
  into.bytes = {};
  into.joined.clear();
  into.captured.clear();
  into.length = 0;
  const bool one_piece = into.layout.stretches().size() == 1;
  for (const Stretch& stretch : into.layout.stretches()) {
    const uint64_t at = into.length;
    into.length += stretch.length;
    const Bytes held = slice(stretch.data, stretch.at, stretch.length);
    if (into.bytes.size() < at) {
      continue;  // behind a stretch that was not kept, or not all of it
    }
    if (one_piece) {
      into.bytes = held;
    } else {
      into.joined.insert(into.joined.end(), held.begin(), held.end());
      into.bytes = into.joined;
    }
    each_captured(stretch, [&](uint64_t offset, Bytes run) { into.captured.add(at + offset, run.size()); });
  }
}

// No message: nothing is left of another one.
bool none(PayloadStream& into) {
  into.layout.clear();
  join(into);
  return false;
}

}  // namespace

rpcrdma::RpcDecoded PayloadStream::decode_header(rpcrdma::RpcHeader& into) const {
  const auto whole = static_cast<uint32_t>(std::min<uint64_t>(length, UINT32_MAX));
  return rpcrdma::decode(slice(front(), 0, whole), whole, into);
}

bool call_payload(const Exchange& exchange, PayloadStream& into) {
  if (!lay_out_call(exchange, into.layout)) {
    return none(into);
  }
  join(into);
  return true;
}

void reply_chunk_payload(const Exchange& call, const rpcrdma::ChunkLists& chunks, PayloadStream& into) {
  into.layout.clear();
  if (!chunks.reply.empty() && advertises_reply_chunk(call, chunks)) {
    lay_out_returned(call, ChunkKind::reply, 0, chunks.reply[0], into.layout);
  }
  join(into);
}

bool reply_payload(const Exchange& exchange, PayloadStream& into) {
  if (!lay_out_reply(exchange, into.layout)) {
    return none(into);
  }
  join(into);
  return true;
}

}  // namespace steertag::flow
