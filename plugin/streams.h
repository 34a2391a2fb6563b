// Streams: RPC messages reassembled from what travelled inline and in chunks, so
// that a dissector of RPC reads them as it would from TCP (RFC 8166 §3.4.5,
// §3.4.6). Where a Write chunk's bytes belong in a Reply, only the upper layer
// knows: the walk of the NFS results determines it.
// What was not captured is zeros here, and is counted.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "flow/exchange.h"
#include "flow/message.h"
#include "sparse.h"

namespace steertag::plugin {

struct Stream {
  Sparse bytes;
  uint64_t solid = 0;    // of them before the first hole
  uint64_t missing = 0;  // of them zeros that stand for what was not captured (yet)
  // What follows these bytes cannot be determined from the capture: the message continues, but not here.
  bool open = false;
};

// A message longer than this is not reassembled.
inline constexpr uint64_t kMaxStream = 4 << 20;

// Whether a message's RPC message needs Read chunks at all.
bool has_reads(const rpcrdma::TransportHeader& header);
// Whether a Reply's RPC message needs Write chunks, a Reply chunk, or Read chunks of its own (RFC 5666 §3.5).
bool reduced_reply(const rpcrdma::TransportHeader& header);

// The message as it will be once its Read chunks have arrived: zeros in their place.
bool promise(const flow::Message& message, Stream& into);
// The Call with as much of its Read chunks as has arrived by now.
bool build_call(const flow::Exchange& exchange, Stream& into);
// What an RDMA_MSGP carries, without its pad (RFC 5666 §3.9), which no other dissector knows. False where
// there is no pad, or where its place is unknown.
bool unpadded_call(const flow::Message& call, Stream& into);
bool unpadded_reply(const flow::Exchange& exchange, const flow::Message& reply, Stream& into);
// The Reply with header `header` and inline bytes `payload`, of `payload_length` on the wire.
bool build_reply(const flow::Exchange& exchange, const rpcrdma::TransportHeader& header, Bytes payload,
                 uint32_t payload_length, Stream& into);

}  // namespace steertag::plugin
