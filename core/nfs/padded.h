// Padded messages: walks over the payload of an RDMA_MSGP. RFC 5666 §3.9 has pad
// before opaque data, so that this is aligned in the receiver's buffers, but
// leaves two things open: whether places are counted from the start of the Send
// or of the RPC message ("XDR stream position"), and whether data of exactly
// rdma_thresh bytes is padded. A reading is taken that ends where the message
// ends; Walk::pads then says what is to be left out for the upper layer.
#pragma once

#include <cstdint>
#include <span>

#include "nfs/call.h"
#include "nfs/reply.h"
#include "rpcrdma/v1.h"

namespace steertag::nfs {

// `front`: bytes of the transport header. Refills `into`. False where no reading ends with the message, and
// that is not because it could not be followed; then the walk is `ambiguous`.
bool walk_padded_call(Stream stream, const rpcrdma::v1::Padding& padding, uint32_t front, CallWalk& into);
bool walk_padded_reply(Stream stream, const rpcrdma::v1::Padding& padding, uint32_t front,
                       const CallWalk& call, std::span<const uint64_t> returned, ReplyWalk& into);

}  // namespace steertag::nfs
