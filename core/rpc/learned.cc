#include "rpc/learned.h"

#include <algorithm>

#include "rpc/direction.h"
#include "rpcrdma/programs.h"

namespace steertag::rpc {

// Who sends NFS Calls is the client; callbacks go the other way (RFC 8167). Where one direction alone was
// captured, who sends Replies is the server, unless it turns out to call: then it answered callbacks.
void Learned::note_client(const Message& message) {
  if (connection_.client && !client_assumed_) [[likely]] {
    return;
  }
  if (!connection_.client && message.direction == Direction::reply && message.rpc != nullptr &&
      !message.direction_guessed && connection_.pairing == track::Pairing::one_sided) {
    connection_.client = rdma::other(message.from);
    client_assumed_ = true;
  }
  if (message.direction == Direction::call && message.rpc != nullptr &&
      message.rpc->rpcvers == rpcrdma::rpc_version && !rpcrdma::program_name(message.rpc->program).empty() &&
      !rpcrdma::nfs4_callback(message.rpc->program, message.rpc->version)) {
    connection_.client = message.from;
    client_assumed_ = false;
  }
}

void Learned::note_version(const Message& message) {
  const bool settles = message.direction == Direction::reply && !message.header->is_error();
  if (settles || !version_settled_) {
    connection_.version = message.header->version;
    version_settled_ |= settles;
  }
}

// Of errors, of messages that convey no RPC, and of what may be a Call after all, nothing is taken.
void Learned::note_credits(const Message& message, const Outstanding& now) {
  if (message.header->is_error() || !conveys_rpc(message) || taken_by_xid(message, connection_.client) ||
      !message.decoded.has(rpcrdma::FixedField::credit)) {
    return;
  }
  if (message.direction == Direction::call) {
    if (connection_.one_direction()) {
      return;  // Replies that nobody captured may have answered some
    }
    uint32_t& most = connection_.end(message.from).credits.in_flight_max;
    most = std::max(most, now.certain(message.from));
  } else if (message.direction == Direction::reply) {
    track::Credits& credits = connection_.end(rdma::other(message.from)).credits;
    const uint32_t granted = message.header->credit;
    credits.granted_min = std::min(credits.granted_min.value_or(granted), granted);
    credits.granted_max = std::max(credits.granted_max.value_or(granted), granted);
  }
}

}  // namespace steertag::rpc
