// Whether a Send looks like RPC-over-RDMA, judged by its bytes alone: for
// connections whose setup is not in the capture and whose port says nothing.
// Strict on purpose, because anything can travel in a Send; callers ask for two
// strong Sends, or a Call and its Reply, before they believe it.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "rpcrdma/header.h"

namespace steertag::rpcrdma {

enum class Likeness : uint8_t {
  no,
  maybe,  // fits, but little more than the fixed words could be checked: cut by the capture, ERROR, DONE
  yes,    // strong: MSG whose payload repeats the XID, NOMSG with chunks, OPTIONAL with known contents
};

// For a Send that decode() has read already.
Likeness recognize(Bytes captured, uint32_t wire_length, const TransportHeader& header,
                   const Decoded& decoded);

// The same, from the bytes.
Likeness recognize(Bytes captured, uint32_t wire_length);

}  // namespace steertag::rpcrdma
