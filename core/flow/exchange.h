// Exchange: one RPC from its Call to its Reply, with every segment that the two advertised
// and what RDMA Reads and Writes moved through them.
//
// Reported to the Sink once, when it is over: a little after the Reply (a tap may show an
// RDMA Read Response late), after the RDMA_DONE that follows a Reply with a Read list, or
// when its connection or the capture ends.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/list.h"
#include "base/range_set.h"
#include "flow/slowdown.h"
#include "flow/subject.h"
#include "flow/timeline.h"
#include "flow/timing.h"
#include "flow/traffic.h"
#include "frame.h"
#include "nfs/walk.h"
#include "rdma/op.h"
#include "rpcrdma/header.h"
#include "rpcrdma/rpc.h"
#include "track/connection.h"

namespace steertag::flow {

using rdma::Side;

enum class ChunkKind : uint8_t {
  read,
  write,
  reply,
  result,  // Read segment of the Reply: memory of the Responder (RFC 5666 §3.5, which RFC 8166 has not)
};

// Advertised to be read, by either end.
constexpr bool for_reading(ChunkKind kind) {
  return kind == ChunkKind::read || kind == ChunkKind::result;
}

// Whose memory it is.
constexpr Side owner_of(ChunkKind kind, Side requester) {
  return kind == ChunkKind::result ? rdma::other(requester) : requester;
}

// One advertised segment.
struct SegmentFlow {
  ChunkKind kind = ChunkKind::read;
  bool after_reply = false;  // an RDMA operation came after the Reply; result: after the RDMA_DONE
  uint32_t chunk = 0;        // write: 0-based index of its chunk in the Write list
  uint32_t position = 0;     // read, result: XDR Position (RFC 8166 §3.4.5)
  rpcrdma::Segment target;
  std::optional<uint32_t> returned;  // write, reply: length in the Reply
  TrafficRef traffic;                // null until RDMA has touched it

  // What RDMA carried of it; see Traffic.
  const base::RangeSet& moved() const { return carried().moved; }
  const base::RangeSet& requested() const { return carried().requested; }
  uint32_t ops() const { return carried().ops; }
  std::span<const Stamp> frames() const { return carried().frames; }
  const std::vector<uint8_t>& data() const { return carried().data; }
  const base::RangeSet& held() const { return carried().held; }

 private:
  const Traffic& carried() const {
    static const Traffic kNothing;
    return traffic ? *traffic : kNothing;
  }
};

// Whether all segments that a message advertises are followed: their number is bounded.
enum class Followed : uint8_t { all, some };

enum class Status : uint8_t {
  complete,         // Call and Reply were seen
  no_reply,         // the Reply was not captured, or never came
  no_call,          // the Call was not captured, or never was
  transport_error,  // answered by RDMA_ERROR / RDMA2_ERROR
};

// Why an Exchange may be reported short of what happened.
enum class Doubt : uint8_t {
  none,
  header_cut,      // the snaplen cut the Call's chunk lists
  frames_missing,  // frames are missing from the capture somewhere between Call and Reply
  call_missing,    // the Call was not captured
  capture_ended,   // before the Reply
  reply_unclear,   // what was taken for the Reply may have been a Call of the peer with the same XID
  in_parts,        // an extension that is not known here may have conveyed the Reply, or part of it
};
// Whether the Reply to a Call without one may be missing from the capture.
constexpr bool may_lack_reply(Doubt doubt) {
  return doubt != Doubt::none && doubt != Doubt::header_cut && doubt != Doubt::capture_ended;
}

// Whether a client has said, on this connection, that it takes callbacks there:
// CREATE_SESSION or BIND_CONN_TO_SESSION (RFC 8881 §18.36, §18.34).
enum class Callbacks : uint8_t {
  unannounced,
  perhaps,  // something that was sent could not be read: missing, cut, or hidden
  announced,
};

// Why there is no back channel on a connection whose client has spoken of one.
struct NoBackChannel {
  enum class Why : uint8_t {
    not_requested,  // CREATE_SESSION, BIND_CONN_TO_SESSION did not ask for one
    not_granted,    // these failed, or the server left it out
    destroyed,      // it ended with its session
  };
  Why why{};
  Stamp at;  // the Call, the Reply that says so
};

// What is known of callbacks on a connection.
struct BackChannelStanding {
  Callbacks callbacks = Callbacks::perhaps;  // by what went before; known only where the setup was captured
  std::optional<NoBackChannel> none;         // unannounced: why, if anything was said
  // The sizes that the client has set for them; unset where they may have been set elsewhere, too.
  std::optional<nfs::BackChannel> sizes;
};

// A copy of the Call or the Reply of an Exchange, kept so that rules can compare the
// two after their frames are gone. Filled only with Settings::for_rules.
struct KeptMessage {
  bool kept = false;
  rpcrdma::TransportHeader header;
  rpcrdma::Decoded decoded;
  uint32_t length = 0;           // bytes of the Send, transport header and payload
  bool send_invalidate = false;  // and the handle, in `invalidated`
  uint32_t invalidated = 0;

  bool has_rpc = false;  // an RPC header stands at the front of the inline payload: `rpc`
  rpcrdma::RpcHeader rpc;
  rpcrdma::RpcDecoded rpc_decoded;
  bool payload_whole = false;  // every byte of the inline payload was captured
  // body_digest(), where more of the payload was captured than is kept.
  std::optional<uint64_t> body_digest;

  // From its Standing, for rules about whole Exchanges.
  std::optional<uint32_t> send_limit;
  BackChannelStanding back_channel;
};

// The members of an Exchange that own no memory worth keeping for the next. In a base of their own, so that
// reset() can overwrite them in one assignment, while the members of Exchange keep their capacity.
struct ExchangeFacts {
  const track::Connection* connection = nullptr;
  uint32_t xid = 0;
  Side requester = Side::a;
  bool backward = false;  // the server is the Requester (RFC 8167)
  uint32_t version = 0;   // rdma_vers of the Call, else of the Reply

  std::optional<Stamp> call;   // frame that completed the Call
  std::optional<Stamp> reply;  // frame that completed the Reply or RDMA_ERROR
  bool reply_by_xid = false;   // when it came, nothing but its XID made it the Reply: taken_by_xid()
  Status status = Status::no_reply;

  // What the RPC Reply said, from its header or the Reply chunk; unset where it was not captured.
  std::optional<rpcrdma::Answer> answer;

  // The upper layer's procedure, from the inline Call or the Position-Zero
  // Read chunk; unset where neither was captured.
  struct Procedure {
    uint32_t program = 0, version = 0, procedure = 0;
  };
  std::optional<Procedure> procedure;

  // The Reply chunk of the Reply names segments that the Call is not known to advertise there: where the
  // message is cannot be told (RFC 8166 §4.3.3).
  bool reply_chunk_changed = false;

  std::optional<uint32_t> invalidated;  // by the Reply's Send With Invalidate
  std::optional<uint32_t> error;        // rdma_err of the RDMA_ERROR that answered it ...
  uint32_t error_version = 0;           // ... and its rdma_vers, which says what the code means
  std::optional<Stamp> done;            // the RDMA_DONE for a Reply with a Read list (RFC 5666 §3.8)
  uint64_t undelivered = 0;             // bytes that RDMA Reads had asked for but not received by then
  bool complete = true;                 // false: a gap in the capture may hide something ...
  Doubt doubt = Doubt::none;            // ... and which

  // What disturbed the connection between Call and Reply: packets or segments that were
  // sent again, and NAKs and RNR NAKs (RoCE), of both ends.
  uint32_t retransmissions = 0, naks = 0;
  // And what slowed it down.
  Slowdown slowdown;

  // While it was open, memory that it advertises for results was advertised for results a second time, by
  // itself or by another Call: what was written there cannot be told apart. Known only with
  // Settings::for_rules.
  bool shares_memory = false;
  uint32_t resent = 0;  // unanswered Calls with this XID before this one: the Requester sent it again

  uint32_t call_inline_length = 0, reply_inline_length = 0;  // bytes on the wire
  bool call_legible = false, reply_legible = false;          // its transport header was read to its end
  // The Call is an RDMA_MSGP (RFC 5666 §3.9), and how long its transport header is.
  std::optional<rpcrdma::v1::Padding> call_padding;
  uint32_t call_header_length = 0;
};

struct Exchange : ExchangeFacts {
  base::List<SegmentFlow> segments;  // Read list, Write list, Reply chunk; then the Reply's Read list
  KeptMessage call_message, reply_message;
  // With Settings::for_reports. The Timing is complete where the Exchange is reported as timed.
  Subject subject;
  Timing timing;
  Timeline timeline;
  // The Call's and the Reply's inline payload, as far as captured and Settings::payload_limit allows.
  std::vector<uint8_t> call_inline, reply_inline;

  // Makes it as new, but keeps memory that the next one will need.
  void reset();
  size_t bytes() const;  // of the heap, without what RDMA carried
};

// Stands for an inline payload as captured, without its XID, and without the credential, which may be made
// anew (the stamp of AUTH_SYS: RFC 5531 §8.2). `rpc`: the header at its front; null: there is none.
uint64_t body_digest(Bytes payload, const rpcrdma::RpcHeader* rpc, const rpcrdma::RpcDecoded& decoded);
// That of the Call, where it was kept.
uint64_t body_digest(const Exchange& exchange);

// Microseconds from the frame of the Call to that of the Reply; unset where either is missing.
std::optional<double> latency_us(const Exchange& exchange);

// Whether no copy of its Reply arrived: the Responder sent it again and again, and in vain.
bool never_accepted(const Exchange& exchange);

// For how long it was waited for, ns: of all attempts together, until the copy of the Reply that arrived, or
// until the capture no longer shows; as far as its Timing knows. Unset where Call and Reply were not
// captured, and where the Reply did not arrive.
std::optional<int64_t> waited_ns(const Exchange& exchange);

}  // namespace steertag::flow

// The rooms in which RPCs are followed speak the language of this one.
namespace steertag::memory {
using namespace flow;
}
namespace steertag::rpc {
using namespace flow;
}
namespace steertag::history {
using namespace flow;
}
namespace steertag::timing {
using namespace flow;
}
