// PayloadStream: the RPC message as the Requester or the Responder wrote it, with what travelled
// in chunks put back in its place (RFC 8166 §3.4.5, §3.4.6). Built from an Exchange on demand, as
// far as its bytes were captured and Settings::payload_limit allowed to keep them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/range_set.h"
#include "flow/exchange.h"
#include "flow/layout.h"

namespace steertag::flow {

struct PayloadStream {
  PayloadStream() = default;
  PayloadStream(const PayloadStream&) = delete;
  PayloadStream& operator=(const PayloadStream&) = delete;

  // Zeros where nothing was captured. A view, of the Exchange's bytes where they are in one piece there,
  // otherwise of `joined`.
  Bytes bytes;
  std::vector<uint8_t> joined;
  base::RangeSet captured;  // which of `bytes` are real
  uint64_t length = 0;      // of the whole message on the wire; bytes.size() may be less
  Layout layout;            // where they come from

  bool whole() const { return captured.total() == length; }
  // As far as they are in one piece.
  Bytes front() const { return slice(bytes, 0, captured.prefix()); }
  rpcrdma::RpcDecoded decode_header(rpcrdma::RpcHeader& into) const;
};

// Bytes that hold any RPC header and the word behind it: 24 bytes and two opaque_auth of up to 400 bytes with
// flavor and length (RFC 5531 §8.2, §9).
inline constexpr uint64_t kFront = 1024;

// Call: the inline bytes, or the Position-Zero Read chunk, with every other Read
// chunk inserted at its Position and padded to a multiple of four (RFC 8166
// §3.4.5). False where the Positions cannot be (RFC 8166 §4.3.1.1) or there is no Call.
// `most`: no more bytes than these are put together.
bool call_payload(const Exchange& exchange, PayloadStream& into, uint64_t most = UINT64_MAX);

// Reply: the inline bytes, or the segments of the Reply chunk with the lengths
// that the Reply returned (RFC 8166 §4.3.3); with the Read chunks that the Reply
// itself may have (RFC 5666 §3.5) as those of a Call. False where their Positions
// cannot be, or there is no Reply. What Write chunks carry is left out: where it
// belongs only the upper layer knows.
bool reply_payload(const Exchange& exchange, PayloadStream& into, uint64_t most = UINT64_MAX);

// The front of the part of a Reply that is in the Reply chunk of `call`; `chunks`: those of the Reply, which
// has just come. Nothing where that chunk is not the Call's.
void reply_chunk_front(const Exchange& call, const rpcrdma::ChunkLists& chunks, PayloadStream& into);

}  // namespace steertag::flow
