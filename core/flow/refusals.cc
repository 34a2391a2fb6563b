#include "flow/refusals.h"

#include "flow/message.h"

namespace steertag::flow {

namespace {

constexpr uint32_t kLeastCall = 24;  // bytes of an RPC Call up to and with its procedure

uint64_t total(const base::List<rpcrdma::WriteChunk>& chunks) {
  uint64_t bytes = 0;
  for (const rpcrdma::WriteChunk& chunk : chunks) {
    bytes += chunk.length();
  }
  return bytes;
}

bool has_body(const Exchange& call) {
  return call.call_message.payload_whole && call.call_inline_length >= kLeastCall;
}

}  // namespace

Resources resources_of(const rpcrdma::TransportHeader& header, const rpcrdma::Decoded& decoded) {
  Resources r;
  r.version = header.version;
  r.procedure = header.procedure;
  for (const rpcrdma::ReadSegment& segment : header.chunks.reads) {
    r.read += segment.target.length;
  }
  r.written = total(header.chunks.writes);
  r.replied = header.chunks.reply_length();
  r.segments = header.chunks.segments();
  r.stopped = decoded.stop.has_value();
  r.odd = decoded.odd_discriminator.has_value();
  return r;
}

void Refusals::note(const Exchange& call, const rpcrdma::TransportHeader& error, const Stamp& at) {
  const KeptMessage& call_message = call.call_message;
  const bool cut = call_message.decoded.stop && call_message.decoded.stop->limit == wire::Limit::capture;
  if (!call_message.kept || !call.call || cut) {
    return;
  }
  Refusal made;
  made.xid = call.xid;
  made.body = body_digest(call);
  made.has_body = has_body(call);
  made.resources = resources_of(call_message.header, call_message.decoded);
  made.code = error.error_code().value_or(0);
  made.without_hint =
      error.error_v2 && error.error_v2->segment_index == 0 && error.error_v2->length_needed == 0;
  made.call = *call.call;
  made.error = at;
  made.times = 1;
  if (const Refusal* before = find(made.xid, made.body, made.has_body)) {
    if (before->resources == made.resources && before->code == made.code) {
      made.times = before->times + 1;
    }
    kept_.erase(kept_.begin() + (before - kept_.data()));
  } else if (kept_.size() == kMaxKept) {
    kept_.erase(kept_.begin());
  }
  kept_.push_back(made);
}

void Refusals::forget(const Exchange& call) {
  if (kept_.empty() || !call.call_message.kept) {
    return;
  }
  if (const Refusal* before = find(call.xid, body_digest(call), has_body(call))) {
    kept_.erase(kept_.begin() + (before - kept_.data()));
  }
}

const Refusal* Refusals::find(const Message& call) const {
  if (kept_.empty()) {
    return nullptr;
  }
  const bool has_body = call.payload.size() == call.payload_length && call.payload_length >= kLeastCall;
  return find(call.header->xid, has_body ? body_digest(call) : 0, has_body);
}

// The same XID may stand for another RPC by now: where both messages are at
// hand, they must be the same.
const Refusal* Refusals::find(uint32_t xid, uint64_t body, bool has_body) const {
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) {
    const bool comparable = has_body && kept->has_body;
    if (comparable ? kept->body == body : kept->xid == xid && has_body == kept->has_body) {
      return &*kept;
    }
  }
  return nullptr;
}

}  // namespace steertag::flow
