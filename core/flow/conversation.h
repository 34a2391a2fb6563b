// Conversation: the flow layer's view of one connection, and the owner of all state for it. As
// the Listener of the transport it receives RDMA operations, in the order in which they were
// accepted, and faults. It reassembles Sends and passes them to the Dialogue, and passes RDMA
// Reads and Writes to Operations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/budget.h"
#include "flow/assembler.h"
#include "flow/dialogue.h"
#include "flow/operations.h"
#include "rdma/anomaly.h"
#include "rdma/op.h"
#include "track/connection.h"

namespace steertag::flow {

class Conversation final : public rdma::Listener {
 public:
  // Both must outlive it.
  Conversation(track::Connection& connection, Common& common);
  ~Conversation();

  void on_setup(Side half, const rdma::SetupHalf& setup, const Stamp& at) override;
  void on_op(const rdma::RdmaOp& op) override;
  void on_fault(const rdma::Fault& fault) override;
  void on_gap(Side from, const Stamp& at) override;
  void on_retransmission(Side from, const Stamp& at) override;
  void on_acknowledged(Side by, const Stamp& at) override;
  rdma::Arrivals* arrivals() override;
  void on_anomaly(const rdma::Anomaly& anomaly) override;
  void on_end(rdma::EndReason reason, const Stamp& at) override;

  void expect(rdma::OpKind kind, Side from, Nearing step) const override;

  // Nothing more comes: reports what is open.
  void finish();

  // For want of memory, something of this connection is about to be given up. That is reported once, and what
  // is given up counts as missing from the capture.
  void note_given_up(const Stamp& at);
  void shrink();  // frees memory that is not in use
  Departures& departures() { return exchanges_.departures(); }

  const History& history() const { return history_; }

 private:
  track::Connection& connection_;
  Common& common_;
  std::array<Assembler, 2> assemblers_;  // by sender
  Advertised advertised_;
  Exchanges exchanges_;
  History history_;
  Operations operations_;
  Dialogue dialogue_;
  std::optional<rdma::Fault> last_fault_;  // a receiver repeats its complaint until it gets what it wants
  bool given_up_ = false;                  // and that is reported
  uint64_t drops_ = common_.drops;         // Common::drops that are heeded
  base::Account account_;
  base::Occasion measured_;
};

}  // namespace steertag::flow
