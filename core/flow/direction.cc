#include "flow/direction.h"

namespace steertag::flow {

using rpcrdma::TransportHeader;

namespace {

Direction named(rpcrdma::MsgType type) {
  return type == rpcrdma::MsgType::call    ? Direction::call
         : type == rpcrdma::MsgType::reply ? Direction::reply
                                           : Direction::unknown;
}

// By its chunks: a Call has a Position-Zero Read chunk, the Reply that is awaited
// a Reply chunk, or, from a server of RFC 5666 (§3.5), a Read list of its own; then
// it has left the Reply chunk that it may have been offered alone.
Direction direction_of_nomsg(const Message& message, const DirectionFacts& facts) {
  const rpcrdma::ChunkLists& chunks = message.header->chunks;
  const bool position_zero = chunks.has_position_zero();
  if (facts.awaited) {
    const bool of_server = facts.client && *facts.client != message.from;
    if (position_zero ? of_server && chunks.reply_length() == 0 : !chunks.reply.empty()) {
      return Direction::reply;
    }
  }
  return position_zero ? Direction::call : Direction::unknown;
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
    return facts.awaited && facts.client == rdma::other(message.from) ? Direction::reply : Direction::call;
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
// makes a Call, but for a server's that has the XID of an open Call.
bool is_guess(const Message& message, std::optional<Side> client) {
  const bool reply = message.direction == Direction::reply && message.from != client;
  return type_cut(message) && message.header->chunks.reads.empty() != reply;
}

bool is_attempt(const Message& message) {
  const TransportHeader& h = *message.header;
  return message.direction == Direction::unknown && fixed_header_captured(message) &&
         !h.is(rpcrdma::v1::Proc::done) && !h.is(rpcrdma::v2::Proc::optional);
}

}  // namespace steertag::flow
