// Access: the verdict on one RDMA Write or RDMA Read Request: whether all its bytes lie in memory
// that the target has advertised for it on this connection (RFC 8166 §3.4, §4.3), and if not, why
// not.
//
// Reported at the first piece of an operation; and once more if that was fine, but a later piece
// leaves the advertised memory.
#pragma once

#include <cstdint>
#include <optional>

#include "flow/exchange.h"
#include "rdma/op.h"
#include "track/connection.h"

namespace steertag::flow {

enum class Verdict : uint8_t {
  fine,
  never_advertised,  // no segment of any Call has the handle
  outside,           // the handle is live, but not for all of these bytes in segments of one Call
  wrong_kind,        // a Write into a Read segment, or a Read of a Write or Reply segment
  after_reply,       // the Call that advertised it had been answered; result: the RDMA_DONE had been sent
  after_invalidate,  // a Send With Invalidate had named the handle
  forgotten,         // its Call was never answered, or was sent more than once: the peer may still serve it
};

// A segment that is no longer valid, and what ended it: its Call has been answered, or given up without an
// answer, or its Reply confirmed by RDMA_DONE.
struct Retired {
  uint32_t xid = 0;
  rpcrdma::Segment target;
  ChunkKind kind = ChunkKind::read;
  Stamp advertised;           // the Call; result: the Reply
  std::optional<Stamp> over;  // the Reply, the RDMA_DONE, or the Send With Invalidate that named its handle
  bool invalidated = false;   // the latter
  bool resent = false;        // its Call had been sent before, unanswered
};

struct Access {
  const track::Connection* connection = nullptr;
  const rdma::RdmaOp* op = nullptr;
  rdma::Side owner = rdma::Side::a;  // whose memory it is
  rdma::Memory range;                // the memory of the whole operation, as far as this piece shows it
  bool reading = false;

  Verdict verdict = Verdict::fine;
  uint64_t astray = 0;  // first byte that is not covered, where the verdict is not fine
  // The Exchange and the segment that the operation began in, or else the nearest ones;
  // null where there are none.
  const Exchange* exchange = nullptr;
  const SegmentFlow* segment = nullptr;
  std::optional<Retired> retired;  // after_reply, after_invalidate, forgotten
  // The chunk lists of some Call of the owner were not captured whole: what
  // looks astray may have been advertised there.
  bool unsure = false;
  track::ConnectionNumber
      elsewhere;  // never_advertised: of a connection on which that handle is live; 0: none
};

}  // namespace steertag::flow
