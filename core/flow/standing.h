// Standing: what the history of its connection says of one message at the
// moment it was sent: which Call it answers, how many are under way, what was
// granted and agreed. It is what turns "this header" into "this header, here",
// and lets rules be functions without memory.
//
// Filled by History before the message itself takes effect. Pointers are good
// until the observer returns.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/exchange.h"
#include "frame.h"

namespace steertag::flow {

// A number and the frame that established it.
template <typename T>
struct Established {
  T value{};
  Stamp at;
};

// The versions that an ERR_VERS says are supported, both ends included.
struct VersionRange {
  uint32_t low = 0, high = 0;
  bool holds(uint32_t version) const { return low <= version && version <= high; }
};

// An RPC whose answer has gone by.
struct Completion {
  Stamp call, reply;
  bool call_seen = false;
  bool error = false;  // answered by an RDMA_ERROR
};

// The flow control of one Requester (RFC 8166 §3.3).
struct CreditAccount {
  uint32_t outstanding = 0;  // its Calls without an answer, this one included
  // Of these, those that no answer missing from the capture can have ended.
  uint32_t certain = 0;
  // The largest grant that the Requester may have in hand: a reduction counts
  // only once it must have arrived. Unset before the first, or where a missing
  // Reply may have granted more.
  std::optional<Established<uint32_t>> most_granted;
  std::optional<Established<uint32_t>> requested;  // rdma_credit of the newest Call
  bool any_grant = false;                          // a non-error Reply was seen
  bool refused_before = false;                     // an ERR_VERS was seen before this message
};

// Whether a client has said, on this connection, that it takes callbacks there:
// CREATE_SESSION or BIND_CONN_TO_SESSION (RFC 8881 §18.36, §18.34).
enum class Callbacks : uint8_t {
  unannounced,
  perhaps,  // something that was sent could not be read: missing, cut, or hidden
  announced,
};

struct Standing {
  // --- what the XID says ---
  // Reply, RDMA_ERROR: the Call that it answers. Call: the one that its XID
  // already stands for, still open. Null where there is none.
  const Exchange* open = nullptr;
  // Reply, RDMA_ERROR without such a Call: how the XID was answered before, among the latest.
  std::optional<Completion> completed;

  // --- flow control of the Requester of this message's direction ---
  CreditAccount credits;

  // --- versions (RFC 8166 §4.2.2, version-two-02 §6) ---
  std::optional<Established<uint32_t>> agreed;       // by the first non-error Reply
  std::optional<Established<VersionRange>> refused;  // the newest ERR_VERS that went to this message's sender
  uint64_t ordinal = 0;                              // of this message among its sender's, from 1

  // --- the other direction (RFC 8167 §6) ---
  Callbacks callbacks = Callbacks::perhaps;  // by what went before; known only where the setup was captured

  // --- sizes ---
  // Bytes that a Send of this sender may have: what both ends' private data
  // says, or the default where their setup was captured without any. Version one.
  std::optional<uint32_t> inline_threshold;
  uint32_t oversized_before = 0;  // Sends of this sender above it, that were accepted without complaint
};

}  // namespace steertag::flow
