#include "history/refusals.h"

namespace steertag::history {
namespace {

constexpr uint32_t kLeastCall = 24;  // bytes of an RPC Call up to and with its procedure

uint64_t total(const base::List<rpcrdma::WriteChunk>& chunks) {
  uint64_t bytes = 0;
  for (const rpcrdma::WriteChunk& chunk : chunks) {
    bytes += chunk.length();
  }
  return bytes;
}

// What identifies a Call.
Refusal named(const Exchange& call) {
  Refusal made;
  made.opened = call.connection->first_frame;
  made.xid = call.xid;
  made.has_body = call.call_message.payload_whole && call.call_inline_length >= kLeastCall;
  made.body = body_digest(call);
  return made;
}

Refusal named(const Message& call) {
  Refusal made;
  made.opened = call.connection->first_frame;
  made.xid = call.header->xid;
  made.has_body = call.payload.size() == call.payload_length && call.payload_length >= kLeastCall;
  made.body = made.has_body ? body_digest(call) : 0;
  return made;
}

uint64_t key_of(const track::Connection& connection, Side requester) {
  return absl::HashOf(connection.end(requester).address, connection.end(rdma::other(requester)).address);
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
  Refusal made = named(call);
  made.resources = resources_of(call_message.header, call_message.decoded);
  made.code = error.error_code().value_or(0);
  made.without_hint =
      error.error_v2 && error.error_v2->segment_index == 0 && error.error_v2->length_needed == 0;
  made.call = *call.call;
  made.error = at;
  made.times = 1;
  if (const Refusal* before = find(made)) {
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
  if (const Refusal* before = find(named(call))) {
    kept_.erase(kept_.begin() + (before - kept_.data()));
  }
}

const Refusal* Refusals::find(const Message& call) {
  Refusal* found = kept_.empty() ? nullptr : find(named(call));
  if (found != nullptr && found->xid == call.header->xid) {
    found->tried_again = true;
  }
  return found;
}

// The same XID may stand for another RPC by now: where both messages are at
// hand, they must be the same.
Refusal* Refusals::find(const Refusal& call) {
  for (auto kept = kept_.rbegin(); kept != kept_.rend(); ++kept) {
    const bool comparable = call.has_body && kept->has_body;
    const bool same_xid = kept->xid == call.xid, here = kept->opened == call.opened;
    if (comparable ? kept->body == call.body && (here || same_xid)
                   : here && same_xid && call.has_body == kept->has_body) {
      return &*kept;
    }
  }
  return nullptr;
}

void RefusalsByHosts::note(const Exchange& call, const rpcrdma::TransportHeader& error, const Stamp& at) {
  const uint64_t key = key_of(*call.connection, call.requester);
  const auto [pair, added] = pairs_.try_emplace(key);
  if (added) {
    order_.push_back(key);
  }
  pair->second.note(call, error, at);
  if (pairs_.size() > kMaxPairs) {
    pairs_.erase(order_.front());
    order_.erase(order_.begin());
  }
}

void RefusalsByHosts::forget(const Exchange& call) {
  if (pairs_.empty()) {
    return;
  }
  const auto pair = pairs_.find(key_of(*call.connection, call.requester));
  if (pair != pairs_.end()) {
    pair->second.forget(call);
  }
}

const Refusal* RefusalsByHosts::find(const Message& call) {
  if (pairs_.empty()) {
    return nullptr;
  }
  const auto pair = pairs_.find(key_of(*call.connection, call.from));
  return pair == pairs_.end() ? nullptr : pair->second.find(call);
}

}  // namespace steertag::history
