// What a Call, a Reply and an RDMA_DONE enter into their Exchange, and what its chunks show
// when it is over. Functions of the message and the Exchange: nothing is remembered here,
// and nothing is decided about the life of the Exchange.
#pragma once

#include "flow/exchange.h"
#include "flow/message.h"
#include "flow/sink.h"

namespace steertag::flow {

// Segments that one Exchange follows; what a longer Call or Reply advertises beyond them is not.
inline constexpr size_t kMaxSegments = 1024;

Followed fill_call(Exchange& exchange, const Message& call, const Settings& settings);
// Also an RDMA_ERROR. `known`: of the Call; otherwise `exchange` is new. The Reply's own Read list is left to
// add_results().
enum class CallKnown : uint8_t { no, yes };
void fill_reply(Exchange& exchange, const Message& reply, CallKnown known, const Settings& settings);
// RFC 5666 §3.5: memory of the Responder that the Requester is to read, where what would follow if this were
// a Call's list follows all the same.
Followed add_results(Exchange& exchange, const Message& reply);

// The RDMA_DONE for it has come.
void fill_done(Exchange& exchange, const Message& done);

// Every segment that the Write list and the Reply chunk name is one that the Call has advertised.
bool advertises_all(const Exchange& call, const rpcrdma::ChunkLists& chunks);

// What was read of a Reply's Position-Zero Read chunk as it opens (RFC 5531 §9): it is the Reply, or no such
// thing; unset where that was not captured.
std::optional<bool> reads_as_reply(const Exchange& exchange);
// What `call` was thought to leave to be read as the Reply to `answered` was its own: it is as if it had not
// been sent.
void move_results(Exchange& answered, Exchange& call);

// What was moved shows the procedure of a Call in a Position-Zero Read chunk ...
void find_procedure(Exchange& exchange);
// ... and how the RPC ended, of a Reply in the Reply chunk, or in a Read list of its own.
void find_answer(Exchange& exchange);

}  // namespace steertag::flow
