#include "rpc/direction.h"

#include <algorithm>

namespace steertag::rpc {

using rpcrdma::TransportHeader;

namespace {

Direction named(rpcrdma::MsgType type) {
  return type == rpcrdma::MsgType::call    ? Direction::call
         : type == rpcrdma::MsgType::reply ? Direction::reply
                                           : Direction::unknown;
}

// The Reply to a callback may be left to be read as well, as far as its chunks show: it returns no
// others than its Call has advertised. Where no part of it travels inline, all of it is in one chunk.
bool may_be_left(const Message& message, const DirectionFacts& facts) {
  const rpcrdma::ChunkLists& chunks = message.header->chunks;
  const bool long_reply = message.header->is_nomsg();
  return facts.awaited && facts.returns && facts.client == message.from && chunks.reply_length() == 0 &&
         (!long_reply || std::all_of(chunks.reads.begin(), chunks.reads.end(),
                                     [](const auto& read) { return read.position == 0; }));
}

// It conveys nothing to execute (RFC 8166 §3.5.3, §4.5.2), as far as it can be read.
bool may_be_bare_reply(const Message& message) {
  return message.header->is(rpcrdma::v1::Proc::nomsg) && header_whole(message) &&
         message.header->chunks.reads.empty();
}

// By its chunks: a Call has a Position-Zero Read chunk, the Reply that is awaited
// a Reply chunk, or, from a Responder of RFC 5666 (§3.5), a Read list of its own; then
// it has left the Reply chunk that it may have been advertised alone.
Direction direction_of_nomsg(const Message& message, const DirectionFacts& facts) {
  const rpcrdma::ChunkLists& chunks = message.header->chunks;
  const bool position_zero = chunks.has_position_zero();
  const bool of_server = facts.client && *facts.client != message.from;
  if (facts.awaited) {
    if (position_zero ? of_server && chunks.reply_length() == 0 : !chunks.reply.empty()) {
      return Direction::reply;
    }
  }
  if (facts.answers_otherwise) {
    return Direction::reply;
  }
  if (position_zero) {
    const bool reply = chunks.position_zero_length() != 0 && may_be_left(message, facts);
    return reply ? Direction::reply : Direction::call;
  }
  return !facts.awaited && of_server && may_be_bare_reply(message) ? Direction::reply : Direction::unknown;
}

// A Reply of version one with a Read list (RFC 5666 §3.5).
bool left_to_be_read(const Message& message) {
  return message.direction == Direction::reply && !message.header->direction &&
         !message.header->chunks.reads.empty();
}

// Version two has a direction field. Where what is conveyed shows that the field
// is wrong, the story goes on by what is conveyed: a Call that is labelled a
// Reply is still what its Reply answers.
Direction direction_in_truth(const Message& message, const DirectionFacts& facts) {
  const TransportHeader& h = *message.header;
  const Direction said = named(*h.direction);
  if (!header_whole(message)) {
    return said;
  }
  const bool whole = h.is_msg() && facts.rpc != nullptr && facts.rpc->xid == h.xid;
  if (facts.rpc != nullptr && (whole || message.part == Part::opening)) {
    const Direction conveyed = named(facts.rpc->type);
    return conveyed == Direction::unknown ? said : conveyed;
  }
  if (h.is_nomsg()) {
    if (said == Direction::reply && h.chunks.position_zero_length() != 0 && !facts.awaited) {
      return Direction::call;
    }
    if (said == Direction::call && h.chunks.reads.empty() && !h.chunks.reply.empty() && facts.awaited) {
      return Direction::reply;
    }
  }
  return said;
}

// The snaplen took the RPC message: an open XID is answered, only Calls have a Read list (RFC 8166
// §4.3.1; RFC 5666 §3.5 knew Replies with one), and the rest are Calls.
Direction direction_of_cut(const Message& message, const DirectionFacts& facts) {
  if (!fixed_header_captured(message) || !message.header->conveys_rpc()) {
    return Direction::unknown;
  }
  if (!message.header->chunks.reads.empty()) {
    const bool of_server = facts.awaited && facts.client == rdma::other(message.from);
    return of_server || may_be_left(message, facts) ? Direction::reply : Direction::call;
  }
  if (facts.awaited) {
    return Direction::reply;
  }
  if (facts.forgotten) {
    return Direction::unknown;  // may answer a Call that was itself cut in front of its XID
  }
  if (facts.client == message.from) {
    return Direction::call;
  }
  // The server's: a callback, unless it answers what was answered or was not captured.
  return facts.client && facts.seen_whole && !facts.answered ? Direction::call : Direction::unknown;
}

}  // namespace

bool type_cut(const Message& message) {
  const TransportHeader& h = *message.header;
  const bool rpc_cut =
      message.payload.size() < through_rpc_type && message.payload_length >= through_rpc_type;
  return !h.is_error() && !h.direction && (header_cut(message) || rpc_cut);
}

// Version one has no direction field: it follows from the RPC message, or from
// the chunks and what is open.
Direction direction_of(const Message& message, const DirectionFacts& facts) {
  const TransportHeader& h = *message.header;
  if (h.is_error()) {
    return Direction::reply;
  }
  if (h.direction) {
    return direction_in_truth(message, facts);
  }
  if (type_cut(message)) {
    return direction_of_cut(message, facts);
  }
  if (h.is_nomsg()) {
    return direction_of_nomsg(message, facts);
  }
  return facts.rpc != nullptr ? named(facts.rpc->type) : Direction::unknown;
}

// What is cut and has no Read list is a Call because nothing speaks against it; and what a client
// sends is a Reply because a callback has its XID, which a Call of its own may have, too. A Read list
// makes a Call, but for one that has the XID of an open Call.
bool is_guess(const Message& message, std::optional<Side> client) {
  const bool reads = !message.header->chunks.reads.empty();
  const bool reply = message.direction == Direction::reply && message.from != client;
  return left_by_client(message, client) || (type_cut(message) && reads == reply);
}

bool is_assumed(const Message& message, const DirectionFacts& facts) {
  return message.direction == Direction::reply && may_be_bare_reply(message) && !facts.awaited &&
         !facts.answers_otherwise;
}

bool may_call_back(const Exchange& call, bool compounds, nfs::CallWalk& walk) {
  if (!call.procedure) {
    return true;
  }
  const auto& [program, version, procedure] = *call.procedure;
  if (!nfs::is_compound(program, version, procedure)) {
    return compounds;
  }
  nfs::walk_call({call.call_inline, nullptr, call.call_inline_length}, walk);
  return !walk.compound.counted || walk.compound.minor_version != 0;
}

bool left_by_client(const Message& message, std::optional<Side> client) {
  return message.from == client && left_to_be_read(message) &&
         (message.header->is_nomsg() || type_cut(message));
}

bool left_by_server(const Message& message, const DirectionFacts& facts) {
  return facts.client == rdma::other(message.from) && facts.calls_back && left_to_be_read(message) &&
         message.header->is_nomsg() && !type_cut(message);
}

bool taken_by_xid(const Message& message, std::optional<Side> client) {
  return message.direction_guessed && left_to_be_read(message) &&
         (message.from == client || (message.header->is_nomsg() && !type_cut(message)));
}

bool may_answer(const Message& message, const rpcrdma::RpcHeader* rpc) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!fixed_header_captured(message)) {
    return false;
  }
  return h.is_error() || (type_cut(message) && h.conveys_rpc()) ||
         (rpc != nullptr && rpc->type == rpcrdma::MsgType::reply) ||
         (h.is_nomsg() && h.chunks.reply_length() != 0);
}

bool is_attempt(const Message& message) {
  const TransportHeader& h = *message.header;
  return message.direction == Direction::unknown && fixed_header_captured(message) &&
         !h.is(rpcrdma::v1::Proc::done) && !h.is(rpcrdma::v2::Proc::optional);
}

}  // namespace steertag::rpc
