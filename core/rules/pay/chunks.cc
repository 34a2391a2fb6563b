// RPC messages that travel in chunks: there has to be a chunk for them, and
// they must not travel inline as well (RFC 8166 §3.5.3).

#include "rules/reading.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using flow::Direction;

bool by_server(const flow::Message& message) {
  return message.connection->client && message.from != *message.connection->client;
}

// Version one has no direction field: without a Position-Zero Read chunk an
// RDMA_NOMSG is a Call by being the client's, and by answering nothing.
bool call_by_sender(const flow::Message& message) {
  return message.direction == Direction::unknown && message.header->version == 1 &&
         message.connection->client == message.from && message.standing->known &&
         message.standing->awaited == nullptr;
}

// And without a Reply chunk it is a Reply by answering an open Call.
bool reply_by_standing(const flow::Message& message) {
  return message.direction == Direction::unknown && message.header->version == 1 &&
         !message.header->chunks.has_position_zero() && message.standing->awaited != nullptr;
}

Outcome check_nomsg_call(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!h.is_nomsg() || header_runs_off(message)) {
    return Outcome::not_applicable;
  }
  const bool call = message.direction == Direction::call;
  if (!call && !call_by_sender(message)) {
    return Outcome::not_applicable;
  }
  if (h.chunks.position_zero_length() != 0) {
    return Outcome::done;
  }
  if (header_cut(message)) {
    return Outcome::undecided;
  }
  auto entry = report("Call without inline payload {}",
                      h.chunks.has_position_zero() ? "has a Position-Zero Read chunk of 0 bytes"
                      : h.chunks.reads.empty()     ? "has no Read list, expected a Position-Zero Read chunk"
                                                   : "has no Position-Zero Read chunk");
  entry.blame(Blame::requester, message.from);
  if (call && by_server(message) && h.chunks.reads.empty()) {
    // Only rdma_direction says that it is no Reply: the Call with its XID would show that it is one (DIR-02).
    entry.unless_lost();
  }
  if (!call) {
    // With a Reply chunk it may be the Reply to a callback that is not in the capture.
    const bool callback =
        !h.chunks.reply.empty() && message.standing->back_channel.callbacks != flow::Callbacks::unannounced;
    entry.at_most(callback ? Certainty::possible : Certainty::likely);
  }
  return Outcome::done;
}

Outcome check_nomsg_reply(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!h.is_nomsg() || header_runs_off(message)) {
    return Outcome::not_applicable;
  }
  const bool reply = message.direction == Direction::reply && !message.direction_guessed;
  if (!reply && !reply_by_standing(message)) {
    return Outcome::not_applicable;
  }
  if (h.chunks.reply_length() != 0 || (report.rfc5666() && h.chunks.position_zero_length() != 0)) {
    return Outcome::done;
  }
  if (header_cut(message)) {
    return Outcome::undecided;
  }
  auto entry = report("Reply without inline payload {}",
                      h.chunks.reply.empty() ? "has no Reply chunk" : "returns a Reply chunk of 0 bytes");
  entry.blame(Blame::responder, message.from);
  if (!reply) {
    entry.at_most(Certainty::likely).with(*message.standing->awaited->call);
  }
  return Outcome::done;
}

Outcome check_conveyed_twice(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!h.carries_payload()) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = whole(message.decoded); outcome != Outcome::done) {
    return outcome;
  }
  if (message.payload_length == 0) {
    return Outcome::not_applicable;
  }
  if (message.direction == Direction::call) {
    const uint64_t chunk = h.chunks.position_zero_length();
    if (chunk != 0) {
      report("Call has {} inline bytes and a Position-Zero Read chunk of {} bytes", message.payload_length,
             chunk);
    }
    return Outcome::done;
  }
  if (message.direction == Direction::reply) {
    const uint64_t chunk = h.chunks.reply_length();
    if (chunk != 0) {
      report("Reply has {} inline bytes and returns a Reply chunk of {} bytes", message.payload_length, chunk)
          .in(h.chunks.reply[0].at);
    }
    const uint64_t left = report.rfc5666() ? h.chunks.position_zero_length() : 0;
    if (left != 0) {  // elsewhere it is CHK-01
      report("Reply has {} inline bytes and a Position-Zero Read chunk of {} bytes", message.payload_length,
             left);
    }
    return Outcome::done;
  }
  return Outcome::not_applicable;
}

}  // namespace

constinit const Rule nomsg_call_without_chunk = {
    .id = "PAY-04",
    .name = "nomsg-call-without-position-zero-chunk",
    .source = {"RFC 8166", "3.5.3"},
    .about = kinds::calls | kinds::unclear,
    .message = check_nomsg_call,
    .plain_message = plain::never,
};

constinit const Rule nomsg_reply_without_chunk = {
    .id = "PAY-05",
    .name = "nomsg-reply-without-reply-chunk",
    .source = {"RFC 8166", "3.5.3"},
    .about = kinds::replies | kinds::unclear,
    .message = check_nomsg_reply,
    .plain_message = plain::never,
};

constinit const Rule payload_conveyed_twice = {
    .id = "PAY-06",
    .name = "payload-conveyed-twice",
    .source = {"RFC 8166", "3.5.3"},
    .about = kinds::rpcs,
    .message = check_conveyed_twice,
    .plain_message = plain::kept_without(plain::reads | plain::reply_chunk),
};

}  // namespace steertag::rules
