// MessageReader: decodes one Send into a Message: its transport header, the RPC header
// behind that, its payload. The Message and what it points to are the reader's, and good
// until it reads the next one.
#pragma once

#include "flow/message.h"
#include "rpc/assembler.h"

namespace steertag::rpc {

class MessageReader {
 public:
  // Fills in all but the direction and what depends on it. `standing`: that of a message whose history is not
  // known.
  Message& read(const Send& send, const track::Connection& connection, const Standing& standing);
  // The front of what stands behind the latest message's header; null where its type was not captured.
  const rpcrdma::RpcHeader* rpc() const { return rpc_type_captured(message_) ? &rpc_ : nullptr; }

 private:
  Message message_;
  rpcrdma::TransportHeader header_;
  rpcrdma::RpcHeader rpc_;
};

// CONF_RDMA (RFC 5666 §6.2): enters what it is about, where the message belongs to it. `answers`: the Call
// that a Reply is to, if it is known.
void find_configuration(Message& message, const Exchange* answers);

}  // namespace steertag::rpc
