// Conversation: the flow layer's view of one connection, and the owner of all state for it. As
// the Listener of the transport it receives RDMA operations, in the order in which they were
// accepted, and faults. It reassembles Sends and passes them to the Dialogue, and passes RDMA
// Reads and Writes to the Operations. What listens to it is put together by its owner.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/budget.h"
#include "memory/operations.h"
#include "rdma/anomaly.h"
#include "rdma/op.h"
#include "rpc/assembler.h"
#include "rpc/dialogue.h"

namespace steertag::rpc {

class Conversation final : public rdma::Listener {
 public:
  // `state` must outlive it, and have its listeners already.
  explicit Conversation(ConnectionState& state);
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
  void finish(Departures::Ended what);

  // For want of memory, something of this connection is about to be given up. That is reported once, and what
  // is given up counts as missing from the capture.
  void note_given_up(const Stamp& at);
  void shrink();  // frees memory that is not in use

  Departures& departures() { return departures_; }

 private:
  // Frames that the capture lost, of whichever connection, since this was asked last, may have been of this
  // one. To be asked before whatever comes next takes effect.
  void heed_drops(const Stamp& at);

  ConnectionState& state_;
  Common& common_;
  std::array<Assembler, 2> assemblers_;  // by sender
  Departures departures_;
  Exchanges exchanges_;
  Negotiations negotiations_;
  memory::Operations operations_;
  Dialogue dialogue_;
  uint64_t drops_;                         // of Common::drops, those that are heeded
  std::optional<rdma::Fault> last_fault_;  // a receiver repeats its complaint until it gets what it wants
  bool given_up_ = false;                  // and that is reported
  base::Account account_;
  base::Occasion measured_;
};

}  // namespace steertag::rpc
