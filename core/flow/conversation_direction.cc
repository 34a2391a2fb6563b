// Which way a message goes: a Call or a Reply, by what it says, by what it
// conveys, and by what is open where neither was captured.

#include "flow/conversation.h"

namespace steertag::flow {

using rpcrdma::TransportHeader;

namespace {

// The snaplen took what says whether it is a Call or a Reply.
bool type_cut(const Message& message) {
  const TransportHeader& h = *message.header;
  const bool header_cut = message.decoded.stop && message.decoded.stop->limit == wire::Limit::capture;
  const bool rpc_cut =
      message.payload.size() < through_rpc_type && message.payload_length >= through_rpc_type;
  return !h.is_error() && !h.direction && (header_cut || rpc_cut);
}

}  // namespace

// Version one has no direction field: it follows from the RPC message, or from
// the chunks and what is open.
Direction Conversation::direction_of(const Message& message) const {
  const TransportHeader& h = *message.header;
  if (h.is_error()) {
    return Direction::reply;
  }
  if (h.direction) {
    return direction_in_truth(message);
  }
  if (type_cut(message)) {
    return direction_of_cut(message);
  }
  if (h.is_nomsg()) {
    return direction_of_nomsg(message);
  }
  if (rpc_type_captured(message)) {
    return rpc_.type == rpcrdma::MsgType::call    ? Direction::call
           : rpc_.type == rpcrdma::MsgType::reply ? Direction::reply
                                                  : Direction::unknown;
  }
  return Direction::unknown;
}

// By its chunks: a Call has a Position-Zero Read chunk, the Reply that is awaited
// a Reply chunk, or, from a server of RFC 5666 (§3.5), a Read list of its own; then
// it has left the Reply chunk that it may have been offered alone.
Direction Conversation::direction_of_nomsg(const Message& message) const {
  const rpcrdma::ChunkLists& chunks = message.header->chunks;
  const bool position_zero = chunks.has_position_zero();
  if (exchanges_.is_open(rdma::other(message.from), message.header->xid)) {
    const bool of_server = connection_.client && *connection_.client != message.from;
    if (position_zero ? of_server && chunks.reply_length() == 0 : !chunks.reply.empty()) {
      return Direction::reply;
    }
  }
  return position_zero ? Direction::call : Direction::unknown;
}

// What is cut and has no Read list is a Call because nothing speaks against it; and what a client
// sends is a Reply because a callback has its XID, which a Call of its own may have, too. A Read list
// makes a Call, but for a server's that has the XID of an open Call.
bool Conversation::is_guess(const Message& message) const {
  const bool reply = message.direction == Direction::reply && message.from != connection_.client;
  return type_cut(message) && message.header->chunks.reads.empty() != reply;
}

// Version two has a direction field. Where what is conveyed shows that the field
// is wrong, the story goes on by what is conveyed: a Call that is labelled a
// Reply is still what its Reply answers.
Direction Conversation::direction_in_truth(const Message& message) const {
  const TransportHeader& h = *message.header;
  const auto named = [](rpcrdma::MsgType type) {
    return type == rpcrdma::MsgType::call    ? Direction::call
           : type == rpcrdma::MsgType::reply ? Direction::reply
                                             : Direction::unknown;
  };
  const Direction said = named(*h.direction);
  if (!header_whole(message)) {
    return said;
  }
  const bool whole = h.is_msg() && message.payload.size() >= through_rpc_type && rpc_.xid == h.xid;
  if (whole || message.part == Part::opening) {
    const Direction conveyed = named(rpc_.type);
    return conveyed == Direction::unknown ? said : conveyed;
  }
  if (h.is_nomsg()) {
    const bool awaited = exchanges_.is_open(rdma::other(message.from), h.xid);
    if (said == Direction::reply && h.chunks.position_zero_length() != 0 && !awaited) {
      return Direction::call;
    }
    if (said == Direction::call && h.chunks.reads.empty() && !h.chunks.reply.empty() && awaited) {
      return Direction::reply;
    }
  }
  return said;
}

// The snaplen took the RPC message: an open XID is answered, only Calls have a Read list (RFC 8166
// §4.3.1; RFC 5666 §3.5 knew Replies with one), and the rest are Calls.
Direction Conversation::direction_of_cut(const Message& message) const {
  if (!fixed_header_captured(message) || !message.header->conveys_rpc()) {
    return Direction::unknown;
  }
  const bool awaited = exchanges_.is_open(rdma::other(message.from), message.header->xid);
  if (!message.header->chunks.reads.empty()) {
    return awaited && connection_.client == rdma::other(message.from) ? Direction::reply : Direction::call;
  }
  if (awaited) {
    return Direction::reply;
  }
  if (exchanges_.forgot(rdma::other(message.from))) {
    return Direction::unknown;  // may answer a Call that was itself cut in front of its XID
  }
  if (connection_.client == message.from) {
    return Direction::call;
  }
  // The server's: a callback, unless it answers what was answered or was not captured.
  const bool whole = connection_.client && connection_.seen_from_start && !connection_.last_doubt_ns;
  return whole && !history_.answered(*connection_.client, message.header->xid) ? Direction::call
                                                                               : Direction::unknown;
}

// What the client sends and no Responder can make out (RFC 8166 §4.5): an
// unknown procedure or version, or chunk lists that run off the message. The
// RDMA_ERROR that comes back belongs to it.
bool Conversation::is_attempted_call(const Message& message) const {
  const TransportHeader& h = *message.header;
  return message.direction == Direction::unknown && message.from == connection_.client &&
         fixed_header_captured(message) && !h.is_error() && !h.is(rpcrdma::v1::Proc::done) &&
         !h.is(rpcrdma::v2::Proc::optional);
}

// Whether it answers an open Call although it does not say so: what its peer
// takes from it is no Reply, but the Call has had its answer.
bool Conversation::is_attempted_reply(const Message& message) const {
  const TransportHeader& h = *message.header;
  return message.direction == Direction::unknown && fixed_header_captured(message) &&
         !h.is(rpcrdma::v1::Proc::done) && !h.is(rpcrdma::v2::Proc::optional) &&
         exchanges_.is_open(rdma::other(message.from), h.xid);
}

}  // namespace steertag::flow
