// Functions that enter a Call, a Reply or an RDMA_DONE into its Exchange, and what its chunks
// show once it is over. They are functions of the message and the Exchange alone: they remember
// nothing, and decide nothing about the life of the Exchange.
#pragma once

#include <algorithm>

#include "flow/exchange.h"
#include "flow/message.h"
#include "flow/sink.h"

namespace steertag::rpc {

// Segments that one Exchange follows; what a longer Call or Reply advertises beyond them is not.
inline constexpr size_t kMaxSegments = 1024;

// Bytes that are kept of a Reply, where names are asked for: as much as most servers list of a directory.
inline constexpr uint32_t kMostListedBytes = 64 << 10;
// Of the inline payload, and of each segment of a Reply chunk.
inline uint32_t reply_limit(const flow::Settings& settings) {
  return settings.for_files ? std::max(settings.payload_limit, kMostListedBytes) : settings.payload_limit;
}

// `payload_limit`: bytes that are kept of the inline payload.
Followed fill_call(Exchange& exchange, const Message& call, uint32_t payload_limit);
// `reply` may be an RDMA_ERROR. `known`: whether the Call is; otherwise `exchange` is new. The Reply's own
// Read list is left to add_results().
enum class CallKnown : uint8_t { no, yes };
void fill_reply(Exchange& exchange, const Message& reply, CallKnown known, uint32_t payload_limit);
// Adds the Reply's own Read list: memory of the Responder that the Requester is to read (RFC 5666 §3.5).
Followed add_results(Exchange& exchange, const Message& reply);

// The RDMA_DONE for it has come.
void fill_done(Exchange& exchange, const Message& done);

// Whether the Call has advertised every segment in the Write list and the Reply chunk of `chunks`.
bool advertises_all(const Exchange& call, const rpcrdma::ChunkLists& chunks);

// Whether the data read from the Reply's Position-Zero Read chunk begins like a Reply with its XID (RFC 5531
// §9); unset where its beginning was not captured.
std::optional<bool> reads_as_reply(const Exchange& exchange);
// The message taken for the Reply to `answered` was a Call of its own: the data read from its Read list goes
// to `call`, and `answered` is as if it had not been answered.
void move_results(Exchange& answered, Exchange& call);

// Takes the procedure of a Call in a Position-Zero Read chunk from the data that was moved ...
void find_procedure(Exchange& exchange);
// ... and the outcome of a Reply that came in the Reply chunk, or in a Read chunk of its own.
void find_answer(Exchange& exchange);

}  // namespace steertag::rpc
