// The arguments of an RPC Call, walked: where its eligible items are, which
// operations an NFSv4 COMPOUND holds, whether the message ends where it has to.
// For rules about Read chunks and Positions; reply.h needs it too, since a Reply
// does not say what it answers.
#pragma once

#include <cstdint>
#include <optional>

#include "nfs/nfs4.h"
#include "nfs/walk.h"
#include "rpcrdma/rpc.h"

namespace steertag::nfs {

struct CallWalk : Walk {
  rpcrdma::RpcHeader rpc;
  bool header_known = false;  // it is a Call, and its whole RPC header was captured, credential included
  Compound compound;          // NFSv4 COMPOUND; otherwise empty
  // Where it may be a callback of NFSv4, and counts as one of an unknown program: where the walk stopped,
  // why.
  Reason no_callback = Reason::none;

  void clear() {
    Walk::clear();
    no_callback = Reason::none;
    rpc.clear();
    header_known = false;
    compound.clear();
  }
};

// Refills `into`. `stream` is the Call with its Read chunks in place. Arguments
// of programs other than NFS, its callbacks and NFSACL are not walked. A walk that is
// `derailed` keeps the items that it met, for rules about that chunk, and of everything else
// what was in front of it; derailed.h says which operations follow, where that can be told.
void walk_call(const Stream& stream, CallWalk& into);

// Whether RPCSEC_GSS hides what follows the header (RFC 2203 §5): arguments and
// results under integrity or privacy, and the tokens of a context that is made or ended.
bool hidden(const rpcrdma::RpcHeader& call);

// Whether it is integrity alone, behind which arguments and results can be read.
bool open_to_read(const rpcrdma::RpcHeader& call);
// The stream up to where these end, for a walk that begins behind its `header_length`; whoever walks says
// what its `header` is, with a credential that hides nothing. `begin`: where the RPC header ends. RFC 2203
// §5.3.2.2: in front are their length and a sequence number, a checksum follows. Unset where that cannot be.
std::optional<Stream> inside_integrity(const Stream& stream, uint64_t begin);

// The procedure of a Call of NFSv2, v3 or NFSACL, or NULL of NFSv4; null where its shape is not known.
const Procedure* nfs_procedure(const rpcrdma::RpcHeader& call);

// Whether this is a COMPOUND or a CB_COMPOUND of NFSv4.
bool is_compound(const rpcrdma::RpcHeader& call);
bool is_compound(uint32_t program, uint32_t version, uint32_t procedure);

// Reads the RPC header at the front of `stream` into `rpc`. False, with the
// reason in `walk`, where it is not all there.
bool read_header(const Stream& stream, rpcrdma::RpcHeader& rpc, Walk& walk);

}  // namespace steertag::nfs
