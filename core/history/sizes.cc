#include "history/sizes.h"

#include <algorithm>

namespace steertag::history {
namespace {

// A Call inline whose program was not captured.
bool program_cut(const Message& message) {
  const bool call = message.direction == Direction::call && message.rpc == nullptr;
  return call && !message.header->is_error() && message.bytes.size() < message.length;
}

// What every receiver of version two has, what both ends' private data says, what the receiver has conveyed:
// the largest of these (version-two-02 §2.3, xcharext-02 §3.1).
Limit largest(std::optional<uint32_t> by_setup, const Reported* conveyed, uint32_t relied_on) {
  Limit made{rpcrdma::least_buffer_of_version_two, Basis::version};
  if (by_setup && *by_setup > made.bytes) {
    made = {*by_setup, Basis::private_data};
  }
  if (conveyed != nullptr && relied_on >= made.bytes) {
    made = {relied_on, Basis::characteristic, conveyed->at};
  }
  return made;
}

}  // namespace

std::optional<uint32_t> Sizes::inline_threshold(Side from) const {
  if (!connection_.setup_seen()) {
    return std::nullopt;
  }
  const rpcrdma::PrivateData& sender = connection_.end(from).private_data;
  const rpcrdma::PrivateData& receiver = connection_.end(rdma::other(from)).private_data;
  if (!sender.usable() || !receiver.usable()) {
    return rpcrdma::default_inline_threshold;
  }
  return std::min({std::max(sender.send_size, rpcrdma::default_inline_threshold),
                   std::max(receiver.receive_size, rpcrdma::default_inline_threshold),
                   rpcrdma::largest_inline_threshold});
}

// RFC 5666 §6.2: sizes of RPC messages, which the transport header comes on top of. Who follows RFC 8166 may
// not know CONF_RDMA, so here it only ever allows more.
std::optional<uint32_t> Sizes::configured_limit(const Message& message,
                                                std::optional<uint32_t> by_setup) const {
  const std::optional<Configured>& receiver = configured(rdma::other(message.from));
  if (!by_setup || !receiver) {
    return by_setup;
  }
  if (!receiver->takes || message.decoded.stop) {
    return std::nullopt;
  }
  const uint64_t bytes = uint64_t{*receiver->takes} + message.decoded.header_length;
  return std::max(*by_setup, static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX)));
}

// Sizes go by the version of the connection, also where a message has another one by mistake (version-two-02
// §2.3, §6.1, §6.2). A raise counts as soon as it is reported; a missing message may have reported one.
std::optional<uint32_t> Sizes::send_limit(const Message& message, uint32_t agreed,
                                          const Terms& receiver) const {
  const std::optional<uint32_t> by_setup = inline_threshold(message.from);
  const uint32_t spoken = agreed != 0 ? agreed : message.header->version;
  if (spoken != 2) {
    return configured_limit(message, by_setup);
  }
  if (!by_setup || (agreed != 2 && message.direction != Direction::reply) || receiver.missed) {
    return std::nullopt;
  }
  const Reported* conveyed = receiver.find(xchar::Id::rbsiz);
  if (conveyed == nullptr && receiver.forgot && receiver.reported.size() == Terms::kMaxTerms) {
    return std::nullopt;  // it may have been what was forgotten
  }
  return largest(by_setup, conveyed, conveyed != nullptr ? receiver.relied_on(*conveyed) : 0).bytes;
}

std::optional<Limit> Sizes::limit(Side from, uint32_t version, const Terms& receiver) const {
  const std::optional<uint32_t> by_setup = inline_threshold(from);
  const std::optional<Configured>& settled = configured(rdma::other(from));
  if (version == 2) {
    const Reported* conveyed = receiver.find(xchar::Id::rbsiz);
    if (conveyed == nullptr && !by_setup) {
      return std::nullopt;  // the receiver may have conveyed one before
    }
    return largest(by_setup, conveyed, conveyed != nullptr ? conveyed->number.value_or(0) : 0);
  }
  if (settled) {
    return settled->takes ? std::optional(Limit{*settled->takes, Basis::configuration, settled->at})
                          : std::nullopt;
  }
  if (!by_setup) {
    return std::nullopt;
  }
  const bool said =
      connection_.end(from).private_data.usable() && connection_.end(rdma::other(from)).private_data.usable();
  return Limit{*by_setup, said ? Basis::private_data : Basis::version};
}

void Sizes::note(const Message& message, Before before) {
  if (message.conf_rdma && message.direction == Direction::call) {
    End& client = ends_[rdma::index(message.from)];
    client.asked_xid = message.header->xid;
    client.asked = message.config ? message.config->asked : std::nullopt;
  } else if (message.conf_rdma && (message.rpc->succeeded() || message.rpc_decoded.stop)) {
    note_reply(message, before);
  }
  may_be_configured_ |= program_cut(message);
}

// Both ends are settled by the Reply; what could not be read of either is left open.
void Sizes::note_reply(const Message& message, Before before) {
  End& client = ends_[rdma::index(rdma::other(message.from))];
  End& server = ends_[rdma::index(message.from)];
  client.configured = server.configured = Configured{{}, {}, {}, message.at, before == Before::nothing};
  may_be_configured_ = false;
  const bool asked = client.asked && client.asked_xid == message.header->xid;
  const bool reported = message.config && message.config->settled;
  if (asked) {
    client.configured->takes = client.asked->maxreply_sendsize;
    client.configured->named = client.asked->maxrdmaread;
  }
  if (reported) {
    server.configured->takes = message.config->settled->maxcall_sendsize;
    server.configured->named = message.config->settled->maxrdmaread;
  }
  if (asked && reported) {
    client.configured->reads = server.configured->reads =
        std::max(client.asked->maxrdmaread, message.config->settled->maxrdmaread);
  }
}

}  // namespace steertag::history
