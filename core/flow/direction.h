// direction_of(): which way a message goes. It is a Call or a Reply by what it says, by what
// it conveys, and by what is open where neither was captured: a function of the message
// and of the facts that are handed in, without a memory of its own.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/message.h"

namespace steertag::flow {

struct DirectionFacts {
  const rpcrdma::RpcHeader* rpc = nullptr;  // MessageReader::rpc()
  std::optional<Side> client;               // of the connection, where it is known
  bool awaited = false;                     // the receiver has a Call with this XID under way
  bool returns = false;  // what the Write list and the Reply chunk name, that Call has advertised
  // Needed only where type_cut() says so:
  bool forgotten = false;   // a Call of the receiver may be under way that is not known here
  bool seen_whole = false;  // nothing of the connection was missed so far
  bool answered = false;    // the client's Call with this XID was answered, among the latest
};

// What says whether it is a Call or a Reply was cut off by the snaplen.
bool type_cut(const Message& message);

Direction direction_of(const Message& message, const DirectionFacts& facts);

// Whether the direction that was found, message.direction, is good enough to follow only. So is that of a
// client's Reply by its XID alone: the client has XIDs of its own, and may call by this one (RFC 8167 §4.2).
bool is_guess(const Message& message, std::optional<Side> client);

// It is taken for a Reply that is left to be read because the server has a Call with its XID under way, and
// may be a Call of the client nevertheless.
bool left_by_client(const Message& message, std::optional<Side> client);

// It may be a Reply, or an RDMA_ERROR, as far as the message itself shows; `rpc`: MessageReader::rpc().
bool may_answer(const Message& message, const rpcrdma::RpcHeader* rpc);

// A message whose direction is unclear, but which may stand for a Call that no Responder can make out
// (an unknown procedure or version, chunk lists that run off the message: RFC 8166 §4.5), or for such an
// answer: what its peer takes from it is no Reply, but the Call has had its answer.
bool is_attempt(const Message& message);

}  // namespace steertag::flow
