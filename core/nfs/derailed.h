// Derailed Calls: a Read chunk of a wrong length, or at a wrong Position. The Requester is to blame
// for the chunk, and for nothing else: which operations follow depends on how the Responder
// reads the Call. RFC 8166 §3.4.5 has it insert the chunk where the Position says, and RFC 5531 §9
// lets it answer that it cannot decode the arguments.
//
// So the walk keeps only what stands in front of such a chunk, unless the whole message can be read with
// the chunk in its place, and in no other way. Names of later operations come from the inline bytes, each
// read right behind the byte count of an item. The Requester meant these if they use up all inline bytes
// and all chunks.
#pragma once

#include "nfs/call.h"

namespace steertag::nfs {

// `into`: a walk over `stream`, whose arguments begin at `begin`, with a derailment. Takes back what it
// concluded from bytes behind that, except for the items.
void settle_derailed(const Stream& stream, uint64_t begin, CallWalk& into);

}  // namespace steertag::nfs
