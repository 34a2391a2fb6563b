// Sink: the interface through which the flow layer reports what it finds. The Analyzer turns
// these calls into events. Nothing is reported about a connection before on_claimed(), disturbances apart.
// Settings: the configuration of the flow layer, made from the Analyzer's Options.
#pragma once

#include "flow/access.h"
#include "flow/course.h"
#include "flow/disturbance.h"
#include "flow/exchange.h"
#include "flow/incident.h"
#include "flow/loss.h"
#include "flow/message.h"
#include "flow/negotiation.h"
#include "rdma/op.h"
#include "track/connection.h"

namespace steertag::flow {

struct Settings {
  std::vector<uint16_t> ports;  // on which RPC-over-RDMA is expected
  uint32_t payload_limit = 0;   // bytes kept of each inline payload and segment
  int64_t linger_ns = 0;        // from a Reply to the end of its Exchange
  int64_t settle_ns = 0;        // at the end, an older Call without a Reply was not answered
  bool for_rules = false;       // keep what rules ask for: KeptMessage, Standing, Access
  bool for_reports = false;     // keep what reports ask for: Timing, Subject
  size_t memory = SIZE_MAX;     // bytes; the owner of Common gives something up beyond that
  Course* course = nullptr;     // outlives the Analyzer; null: nothing is merged
  bool for_rewriting = false;   // report what who writes frames anew asks for: pieces, units
  bool for_files = false;       // with for_reports: say whose file each RPC is about, and which part of it
  bool for_sequences = false;   // with for_reports: keep how sequence numbers went on
  bool for_placements = false;  // report each placement
};

class Sink {
 public:
  // The connection carries RPC-over-RDMA; comes before anything else about it.
  virtual void on_claimed(track::Connection& connection) = 0;
  virtual void on_message(const Message& message) = 0;
  // `length` bytes of `op` fell into `segment`, `offset` bytes from its start. With Settings::for_placements;
  // with ::for_rewriting, too, also before the connection is claimed, if it ever is.
  virtual void on_placement(const Exchange& exchange, const SegmentFlow& segment, const rdma::RdmaOp& op,
                            uint32_t offset, uint32_t length) = 0;
  virtual void on_exchange(const Exchange& exchange) = 0;
  // With Settings::for_reports: its Timing is complete; after on_exchange().
  virtual void on_timed(const Exchange& /*exchange*/) {}
  virtual void on_negotiation(const Negotiation& /*negotiation*/) {}
  // With Settings::for_reports; the connection need not carry RPC-over-RDMA.
  virtual void on_disturbance(const track::Connection& /*connection*/, const Disturbance& /*disturbance*/) {}
  virtual void on_loss(const track::Connection& /*connection*/, const Loss& /*loss*/) {}  // for_reports
  // With Settings::for_rewriting; the connection need not carry RPC-over-RDMA.
  virtual void on_piece(const track::Connection& /*connection*/, const rdma::RdmaOp& /*op*/) {}
  virtual void on_access(const Access& access) = 0;
  virtual void on_incident(const Incident& incident) = 0;

 protected:
  ~Sink() = default;
};

}  // namespace steertag::flow
