// direction_of(): decides whether a message is a Call or a Reply. It goes by the direction field
// (version two), the RPC header and the chunk lists; where the capture has none of these, or they
// fit both, by which Calls are open. It has no memory of its own: all that it needs to know of
// the connection comes in as DirectionFacts.
#pragma once

#include <optional>

#include "flow/exchange.h"
#include "flow/message.h"
#include "nfs/call.h"

namespace steertag::rpc {

struct DirectionFacts {
  const rpcrdma::RpcHeader* rpc = nullptr;  // MessageReader::rpc()
  std::optional<Side> client;               // of the connection, where it is known
  bool awaited = false;                     // the receiver has a Call with this XID open
  bool returns = false;     // that Call has advertised every segment of the Write list and the Reply chunk
  bool calls_back = false;  // RDMA_NOMSG of version one: that Call's server may have a back channel
  // RDMA_NOMSG of version one without such a Call: answers_otherwise().
  bool answers_otherwise = false;
  // Needed only for a message that is type_cut():
  bool forgotten = false;   // the receiver may have a Call open that is not known here
  bool seen_whole = false;  // nothing of the connection was missed so far
  bool answered = false;    // the client's Call with this XID was answered recently
};

// The snaplen cut off what says whether the message is a Call or a Reply.
bool type_cut(const Message& message);

Direction direction_of(const Message& message, const DirectionFacts& facts);

// Whether message.direction is a guess: good enough to follow the message by, not to judge it. That includes
// a Reply of the client that nothing but its XID shows to be one: the client has XIDs of its own, and may
// call with the same one (RFC 8167 §4.2).
bool is_guess(const Message& message, std::optional<Side> client);

// It is a Reply only because it is the server's: an RDMA_NOMSG of version one that answers nothing, but has
// no Read list either, and so cannot be a Call that anyone could execute (RFC 8166 §3.5.3).
// `message.direction` is known.
bool is_assumed(const Message& message, const DirectionFacts& facts);

// Whether the server that `call` was sent to may call back on its connection. Only from minor version 1 on do
// sessions have their back channel there (RFC 8881 §2.10.3). `compounds`: a COMPOUND was called there;
// `walk`: scratch memory.
bool may_call_back(const Exchange& call, bool compounds, nfs::CallWalk& walk);

// The message came from the client and was taken for a Reply conveyed in Read chunks, only because the server
// has a Call open with its XID. It may equally be a Call of the client.
bool left_by_client(const Message& message, std::optional<Side> client);
// The same of a server: it may be a callback with the XID of an open Call. `message.direction` is known.
bool left_by_server(const Message& message, const DirectionFacts& facts);
// Either, by `message.direction_guessed`.
bool taken_by_xid(const Message& message, std::optional<Side> client);

// Whether the message itself allows that it is a Reply or an RDMA_ERROR; `rpc`: MessageReader::rpc().
bool may_answer(const Message& message, const rpcrdma::RpcHeader* rpc);

// A message whose direction is unclear, but which may be a Call that no Responder can make out (an unknown
// procedure or version, chunk lists that run off the message: RFC 8166 §4.5), or an answer that no Requester
// can make out: it conveys no Reply, but its Call was answered.
bool is_attempt(const Message& message);

}  // namespace steertag::rpc
