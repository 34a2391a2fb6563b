// The results of an RPC Reply, walked: which eligible items it returns, how long
// they are, and whether their bytes are in Write chunks or in the stream. For
// rules about Write chunks, and for whether a Reply chunk holds a whole message.
//
// Nothing on the wire says which items were taken out, so all possibilities are
// read (pairing.h), and one is taken only where no other fits as well. A reading
// in which chunks and items agree is preferred to any in which they do not.
#pragma once

#include <cstdint>
#include <span>

#include "nfs/call.h"
#include "nfs/pairing.h"
#include "nfs/walk.h"
#include "rpcrdma/rpc.h"

namespace steertag::nfs {

// Unless the walk is complete(), the places of `items` are the likeliest ones
// and prove nothing. The i-th item is that of the i-th READ or READLINK, since a
// COMPOUND ends at the first operation that fails: by RFC 8267 §6.4.1 its chunk
// is the i-th of the Write list.
struct ReplyWalk : Walk {
  rpcrdma::RpcHeader rpc;
  Fit fit = Fit::exact;    // of Write chunks and items
  uint32_t unclaimed = 0;  // used Write chunks that no item of this Reply is in
  // Items are there, and in whichever chunks or places they are taken to be, the rest of the message or the
  // Write list says otherwise: no sender meant this. Known also where the walk is not complete.
  bool contradicted = false;

  void clear() {
    Walk::clear();
    rpc.clear();
    fit = Fit::exact;
    unclaimed = 0;
    contradicted = false;
  }
};

// More combinations of items and chunks than this are not tried: ambiguous.
inline constexpr uint32_t kMaxReadings = 64;

// Refills `into`. `stream`: the inline bytes, or what the Reply chunk holds.
// `returned`: the bytes of each Write chunk as the Reply's Write list has them,
// 0 for an unused or empty one. `call`: the walk of the Call, for its header;
// how far it got beyond that does not matter much.
void walk_reply(const Stream& stream, const CallWalk& call, std::span<const uint64_t> returned,
                ReplyWalk& into);

}  // namespace steertag::nfs
