// Outcome: how an RPC ended, and how many bytes its two messages had, as far as the capture shows it.
// What statistics count of an Exchange, whatever they are by.
// Pure functions of the Exchange.
#pragma once

#include <cstdint>
#include <string>

#include "flow/exchange.h"

namespace steertag::stats {

// Bytes of the RPC messages that went by: inline, and by RDMA, each once.
struct Carried {
  uint64_t arguments = 0, results = 0;
};
Carried carried(const flow::Exchange& exchange);

// The lengths of its messages, as their Subject has them, else what went by.
Carried lengths(const flow::Exchange& exchange);

// A transport error, an RPC Reply that refused, or an NFS status that is not OK.
bool failed(const flow::Exchange& exchange);
// Its name: "NFS4ERR_STALE", "PROC_UNAVAIL", "ERR_CHUNK"; precondition: failed.
std::string failure(const flow::Exchange& exchange);

// Its Call was captured, and no Reply to it.
inline bool unanswered(const flow::Exchange& exchange) {
  return exchange.status == flow::Status::no_reply;
}

// When it began: the Call, else the Reply.
inline Stamp began(const flow::Exchange& exchange) {
  return exchange.call ? *exchange.call : exchange.reply.value_or(Stamp());
}

// Who is the client of its connection, also where only this RPC shows it.
inline rdma::Side client_of(const flow::Exchange& exchange) {
  return exchange.connection->client.value_or(exchange.backward ? rdma::other(exchange.requester)
                                                                : exchange.requester);
}

}  // namespace steertag::stats
