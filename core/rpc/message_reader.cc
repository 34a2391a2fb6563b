#include "rpc/message_reader.h"

#include <algorithm>

namespace steertag::rpc {
namespace {

// `rpc`: what stands behind the header; null where that was not captured.
Part part_of(const Message& message, const rpcrdma::RpcHeader* rpc) {
  if (message.payload_length == 0 || !unknown_option(message)) {
    return Part::none;
  }
  if (!header_whole(message)) {
    return header_cut(message) ? Part::rest : Part::none;
  }
  if (rpc == nullptr || rpc->xid != message.header->xid) {
    return Part::rest;
  }
  const bool known = message.rpc_decoded.header_length >= rpcrdma::rpc_through_status;
  const bool call = rpc->type == rpcrdma::MsgType::call && (!known || rpc->rpcvers == rpcrdma::rpc_version);
  const bool reply = rpc->type == rpcrdma::MsgType::reply && (!known || !text(rpc->reply_stat).empty());
  return call || reply ? Part::opening : Part::rest;
}

}  // namespace

Message& MessageReader::read(const Send& send, const track::Connection& connection,
                             const Standing& standing) {
  Message& m = message_;
  m.connection = &connection;
  m.from = send.from;
  m.at = send.at();
  m.frames = send.frames;
  m.end_position = send.end_position;
  m.send_invalidate = send.invalidate.has_value();
  m.invalidated = send.invalidate.value_or(0);
  m.bytes = send.bytes;
  m.length = send.length;
  m.decoded = rpcrdma::decode(send.bytes, send.length, header_);
  m.header = &header_;
  m.direction = Direction::unknown;
  m.direction_guessed = false;
  m.unreceived = false;
  m.payload = slice(send.bytes, m.decoded.header_length);
  m.payload_length = send.length - std::min(send.length, m.decoded.header_length);
  m.rpc = nullptr;
  m.conf_rdma = false;
  m.config.reset();
  m.standing = &standing;
  if (rpc_type_captured(m)) {
    m.rpc_decoded = rpcrdma::decode(m.payload, m.payload_length, rpc_);
  }
  m.part = part_of(m, rpc());
  if (rpc() != nullptr && m.part != Part::rest) {
    const bool named = !rpc_.call() || m.rpc_decoded.header_length >= rpcrdma::rpc_through_procedure;
    m.rpc = named ? &rpc_ : nullptr;
  }
  return m;
}

void find_configuration(Message& message, const Exchange* answers) {
  if (message.rpc == nullptr) {
    return;
  }
  if (message.rpc->call()) {
    message.conf_rdma =
        rpcrdma::config::is_conf_rdma(message.rpc->program, message.rpc->version, message.rpc->procedure);
  } else if (answers != nullptr) {
    const auto& p = answers->procedure;
    message.conf_rdma = p && rpcrdma::config::is_conf_rdma(p->program, p->version, p->procedure);
  }
  if (message.conf_rdma && !message.rpc_decoded.stop) {
    message.config = rpcrdma::config::find(*message.rpc, message.payload, message.rpc_decoded.header_length);
  }
}

}  // namespace steertag::rpc
