#include "flow/payload.h"

#include <algorithm>

namespace steertag::flow {
namespace {

// Puts together what was captured of the first `most` bytes, as far as it is kept without a break.
void join(PayloadStream& into, uint64_t most) {
  into.bytes = {};
  into.joined.clear();
  into.captured.clear();
  into.length = 0;
  const bool one_piece = into.layout.stretches().size() == 1;
  for (const Stretch& stretch : into.layout.stretches()) {
    const uint64_t at = into.length;
    into.length += stretch.length;
    if (at >= most || into.bytes.size() < at) {
      continue;  // not asked for, or behind a stretch that was not kept, or not all of it
    }
    const Bytes held = slice(stretch.data, stretch.at, std::min(stretch.length, most - at));
    if (one_piece) {
      into.bytes = held;
    } else {
      into.joined.insert(into.joined.end(), held.begin(), held.end());
      into.bytes = into.joined;
    }
    Stretch asked = stretch;
    asked.length = std::min(stretch.length, most - at);
    each_captured(asked, [&](uint64_t offset, Bytes run) { into.captured.add(at + offset, run.size()); });
  }
}

// No message: nothing is left of another one.
bool none(PayloadStream& into) {
  into.layout.clear();
  join(into, 0);
  return false;
}

}  // namespace

rpcrdma::RpcDecoded PayloadStream::decode_header(rpcrdma::RpcHeader& into) const {
  const auto whole = static_cast<uint32_t>(std::min<uint64_t>(length, UINT32_MAX));
  return rpcrdma::decode(slice(front(), 0, whole), whole, into);
}

bool call_payload(const Exchange& exchange, PayloadStream& into, uint64_t most) {
  if (!lay_out_call(exchange, into.layout)) {
    return none(into);
  }
  join(into, most);
  return true;
}

void reply_chunk_front(const Exchange& call, const rpcrdma::ChunkLists& chunks, PayloadStream& into) {
  into.layout.clear();
  if (!chunks.reply.empty() && advertises_reply_chunk(call, chunks)) {
    lay_out_returned(call, ChunkKind::reply, 0, chunks.reply[0], into.layout);
  }
  join(into, kFront);
}

bool reply_payload(const Exchange& exchange, PayloadStream& into, uint64_t most) {
  if (!lay_out_reply(exchange, into.layout)) {
    return none(into);
  }
  join(into, most);
  return true;
}

}  // namespace steertag::flow
