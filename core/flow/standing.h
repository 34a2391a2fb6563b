// Standing: a snapshot of what the history of the connection says about one message:
// which Call it answers, how many are outstanding, what was granted and agreed. It turns
// "this header" into "this header, here", so that rules need no memory of their own.
//
// Filled by History before the message itself takes effect. Pointers are good while the
// message is reported (Sink::on_message).
#pragma once

#include <cstdint>
#include <optional>

#include "flow/exchange.h"
#include "frame.h"

namespace steertag::history {
class Characteristics;
struct Aside;
struct Ground;
struct Refusal;
}  // namespace steertag::history

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

// The limits that CONF_RDMA has settled for one end (RFC 5666 §6.2).
struct Configured {
  std::optional<uint32_t> takes;  // bytes of an RPC message that it takes inline; unset: could not be read
  // RDMA Reads that may be active: the larger maxrdmaread of both ends; unset: either could not be read. The
  // document does not say for certain whether an end names the Reads that it serves or those that it issues.
  std::optional<uint32_t> reads;
  std::optional<uint32_t> named;  // the maxrdmaread of this end itself
  Stamp at;                       // the Reply that settled it
  bool alone = false;  // no other message of the client can have been in flight: the limits apply at once

  // Whether a message sent at that time must respect the limits: always if `alone`, otherwise once the Reply
  // must have arrived.
  bool binds(const Stamp& sent) const { return alone || sent.time_ns - at.time_ns >= kOnItsWayNs; }
  static constexpr int64_t kOnItsWayNs = 1'000'000;
};

// An RPC whose Reply or RDMA_ERROR was seen.
struct Completion {
  Stamp call, reply;
  bool call_seen = false;
  bool error = false;         // answered by an RDMA_ERROR
  bool reads = false;         // the Reply has, or may have, a Read list: RFC 5666 wants an RDMA_DONE (§3.5)
  bool repeated = false;      // it was answered once more
  std::optional<Stamp> done;  // the RDMA_DONE for `reads`
};

// The flow control of one Requester (RFC 8166 §3.3). REQXCH counts as a Call,
// other OPTIONAL messages have no answer and do not (xcharext-02 §4).
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
  // Replies with a Read list that it has not confirmed by RDMA_DONE (RFC 5666 §3.8).
  uint32_t owed_dones = 0;
};

// A Write or Reply segment of a Call that shares bytes with a segment of another
// Call, which is unanswered.
struct Overlap {
  const rpcrdma::Segment* ours = nullptr;
  const Exchange* other = nullptr;
  const SegmentFlow* theirs = nullptr;
};

struct Standing {
  // False: nothing is known of what went before, and all below is as on a new connection. So it is without
  // Settings::for_rules, and for the first messages of a connection that had to be recognised by them.
  bool known = false;

  // --- what the XID says ---
  // Reply, RDMA_ERROR: the Call that it answers. Call: the one that its XID
  // already stands for, still open. Null where there is none.
  const Exchange* open = nullptr;
  // Reply, RDMA_ERROR, RDMA_DONE without such a Call: how the XID was answered before, among the
  // latest. Unset where this may well be an answer to something else.
  std::optional<Completion> completed;
  // The open Call of this message's receiver that has its XID: what it answers if it is an answer.
  const Exchange* awaited = nullptr;
  // Reply without such a Call: another Call with its XID was answered, but had been sent more
  // than once, so that this is the answer to the other copy.
  bool owed = false;
  // Calls of the Requester were given up because too many were open, or were cut beyond recognition: the
  // Reply may be to one of them.
  bool calls_forgotten = false;
  // Call, Reply: a message of the Requester with this XID, in an extension that is not known here: it may
  // have conveyed the Call, or part of it.
  const history::Aside* extension = nullptr;
  // RDMA_ERROR: an open Call of its own sender that has this XID, if there is
  // one; the message without an RPC that the error answers; and one that was answered before.
  const Exchange* own = nullptr;
  const history::Aside* aside = nullptr;
  const history::Aside* answered_aside = nullptr;
  // Call: how the same Call was refused by RDMA_ERROR before, among the latest.
  const history::Refusal* refusal = nullptr;

  // --- flow control of the Requester of this message's direction ---
  CreditAccount credits;

  // --- versions (RFC 8166 §4.2.2, version-two-02 §6) ---
  std::optional<Established<uint32_t>> agreed;  // by the first non-error Reply in the version of its Call
  // The newest ERR_VERS that went to the Requester of this message's direction: to
  // the sender of a Call, from the sender of a Reply.
  std::optional<Established<VersionRange>> refused;
  // The sender of this message is known to have known that: it had sent it, or acknowledged it, before.
  bool agreed_known = false, refused_known = false;
  uint64_t ordinal = 0;  // of this message among its sender's, from 1

  // --- the other direction (RFC 8167 §6) ---
  BackChannelStanding back_channel;

  // --- sizes ---
  // Bytes that a Send of this sender may have, by both ends' private data, or the
  // default where their setup was captured and has none. Version one.
  std::optional<uint32_t> inline_threshold;
  // The same for this message, by its version: in version one no less than what CONF_RDMA has settled, after
  // the agreement on version two no less than 4096 and what the receiver conveyed (version-two-02 §2.3,
  // xcharext-02 §3.1). Unset also where a missing message may have conveyed more.
  std::optional<uint32_t> send_limit;
  std::optional<Configured> configured;  // the receiver, by CONF_RDMA
  bool may_be_configured = false;        // anew: the snaplen took the program of a Call or Reply since
  uint32_t oversized_before = 0;  // Sends of this sender above the limit that were accepted without complaint

  // --- memory ---
  std::optional<Overlap> overlap;  // Call: the first such segment
  // Call that names a handle in rdma_inv_handle: another unanswered Call that advertises it.
  const Exchange* also_advertises = nullptr;
  // Send With Invalidate: an unanswered Call, this one or another, that advertises the handle it names ...
  const Exchange* invalidates = nullptr;
  // ... or the earlier one that invalidated the handle, if no Call has advertised it since.
  std::optional<Stamp> already_invalidated;
  bool invalidated_before = false;  // this sender has used Send With Invalidate on this connection
  // --- transport characteristics that both ends have reported and requested; never null ---
  const history::Characteristics* characteristics = nullptr;
  const history::Ground* ground = nullptr;  // of what is in force (in_force.h); null where it is not known
};

}  // namespace steertag::flow
