// Refusals: the latest Calls of one Requester that a Responder answered by an RDMA_ERROR, on this or an
// earlier connection, so that a Call which is sent again can be compared with the one that was refused.
// History asks before each Call, and tells of each error. Bounded: the oldest gives way.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <vector>

#include "flow/message.h"
#include "frame.h"
#include "rpcrdma/header.h"

namespace steertag::history {

// The properties of a Call's header on which an RDMA_ERROR may depend: its version and procedure, the number
// and size of its chunks, and whether it is malformed. A Call that is sent again with equal Resources can be
// expected to be refused again.
struct Resources {
  uint32_t version = 0, procedure = 0;
  size_t segments = 0;                          // in all chunk lists
  uint64_t read = 0, written = 0, replied = 0;  // bytes: Read list, Write list, Reply chunk
  bool stopped = false, odd = false;            // it ends too early; a discriminator is neither 0 nor 1

  friend bool operator==(const Resources&, const Resources&) = default;
};

Resources resources_of(const rpcrdma::TransportHeader& header, const rpcrdma::Decoded& decoded);

struct Refusal {
  Stamp opened;  // the first frame of its connection
  uint32_t xid = 0;
  uint64_t body = 0;      // body_digest() of its Call
  bool has_body = false;  // there was one, and it was captured whole
  Resources resources;
  uint32_t code = 0;  // rdma_err of the RDMA_ERROR, by resources.version
  // RDMA2_ERR_CANT_REPLY that names no segment and no length: more room is not known to help.
  bool without_hint = false;
  bool tried_again = false;  // by a Call with this XID since: another one is another RPC
  Stamp call, error;         // the latest
  uint32_t times = 0;        // refused in a row with the same resources and the same code
};

class Refusals {
 public:
  static constexpr size_t kMaxKept = 32;

  // `call` was answered by the RDMA_ERROR `error`.
  void note(const Exchange& call, const rpcrdma::TransportHeader& error, const Stamp& at);
  // `call` was answered by a Reply: what went before is over.
  void forget(const Exchange& call);
  // The refusal of what `call` sends again: the same XID, or another with the same RPC message; on another
  // connection, both. Null where there is none. Good until the next note().
  const Refusal* find(const Message& call);

 private:
  Refusal* find(const Refusal& call);  // what identifies it is set

  std::vector<Refusal> kept_;  // oldest first
};

// Those of all Requesters, each at one Responder: a Requester that connects again has the same host.
class RefusalsByHosts {
 public:
  static constexpr size_t kMaxPairs =
      64;  // beyond that, those of the pair that was refused first are forgotten

  void note(const Exchange& call, const rpcrdma::TransportHeader& error, const Stamp& at);
  void forget(const Exchange& call);
  const Refusal* find(const Message& call);

 private:
  absl::flat_hash_map<uint64_t, Refusals> pairs_;
  std::vector<uint64_t> order_;  // their keys, by age
};

}  // namespace steertag::history
