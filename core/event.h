// Event: everything that an observer of an Analyzer can hear, a closed set:
// connections, messages, placements of RDMA operations, finished exchanges.
// What an event refers to is borrowed: good until on() returns.
#pragma once

#include <variant>

#include "attempt/attempt.h"
#include "flow/access.h"
#include "flow/disturbance.h"
#include "flow/exchange.h"
#include "flow/incident.h"
#include "flow/loss.h"
#include "flow/message.h"
#include "flow/negotiation.h"
#include "history/in_force.h"
#include "link/packet.h"
#include "track/connection.h"

namespace steertag {

namespace history {
class History;
}
namespace timing {
class Transit;
}

// A connection was found to carry RPC-over-RDMA; comes before its first message.
struct ConnectionNamed {
  const track::Connection& connection;
};

// Nothing more will come of a connection: it ended, or the capture did. Also
// for connections that never carried RPC-over-RDMA (connection.rpcrdma is
// false; the number is nearly always 0).
struct ConnectionClosed {
  const track::Connection& connection;
  // With Options::for_rules: what its messages have established, and left open.
  const history::History* history = nullptr;
  const history::Ground* ground = nullptr;  // the same: what is in force comes of it (history::in_force())
  // With Options::for_reports: what became of what its two ends sent.
  const timing::Transit* transit = nullptr;
};

struct MessageSeen {
  const flow::Message& message;
};

// With Options::for_placements: a piece of an RDMA Read or Write fell into an advertised segment.
struct PlacementSeen {
  const flow::Exchange& exchange;
  const flow::SegmentFlow& segment;
  const rdma::RdmaOp& op;
  uint32_t offset;  // bytes from the segment's start
  uint32_t length;  // bytes of this piece inside the segment
};

struct ExchangeDone {
  const flow::Exchange& exchange;
};

// With Options::for_reports: which copies of its messages were accepted is known, as far as it ever will be,
// and exchange.timing is complete. After its ExchangeDone.
struct ExchangeTimed {
  const flow::Exchange& exchange;
};

// A request for other transport characteristics is over.
struct NegotiationDone {
  const flow::Negotiation& negotiation;
};

// With Options::for_rules: an RDMA Write or Read Request, held against the memory that it names.
struct AccessSeen {
  const flow::Access& access;
};

// With Options::for_rules or for_reports: a complaint, or something amiss below RPC-over-RDMA.
struct IncidentSeen {
  const flow::Incident& incident;
};

// The network has marked a packet of this connection, or one end has asked the other to slow down. The
// connection need not carry RPC-over-RDMA, as with ConnectionClosed.
struct CongestionSeen {
  const track::Connection& connection;
  const track::Congestion& congestion;
};

// With Options::for_reports: something was sent again on this connection, or refused. It need not carry
// RPC-over-RDMA, either.
struct DisturbanceSeen {
  const track::Connection& connection;
  const flow::Disturbance& disturbance;
};

// With Options::for_reports: packets were lost on a connection that carries RPC-over-RDMA, or sent again
// without need. When that is over.
struct LossSeen {
  const track::Connection& connection;
  const flow::Loss& loss;
};

// With Options::for_rewriting: an RDMA operation, or a piece of one, before anything follows from it; and a
// part of a TCP stream, before the operations in it. Also of connections that may carry RPC-over-RDMA, or
// turn out not to.
struct PieceSeen {
  const track::Connection& connection;
  const rdma::RdmaOp& op;
};
struct UnitSeen {
  const track::Connection& connection;
  const rdma::Unit& unit;
};

// One end of some link has asked the other to stop, or to go on. It names no connection.
struct PauseSeen {
  const link::Pause& pause;
  Stamp at;
};

// What a client tried, and did not get: a connection for NFS/RDMA. When the capture is over, in the order in
// which the first try of each began.
struct AttemptSeen {
  const attempt::Attempt& attempt;
};

using Event = std::variant<ConnectionNamed, ConnectionClosed, MessageSeen, PlacementSeen, ExchangeDone,
                           ExchangeTimed, NegotiationDone, AccessSeen, IncidentSeen, CongestionSeen,
                           DisturbanceSeen, LossSeen, PieceSeen, UnitSeen, PauseSeen, AttemptSeen>;

// What on() does is its own affair, except that it must not call feed().
class Observer {
 public:
  virtual void on(const Event& event) = 0;

 protected:
  ~Observer() = default;
};

}  // namespace steertag
