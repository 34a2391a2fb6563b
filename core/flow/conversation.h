// Conversation: one connection of which it is to be found out what its two ends say to each
// other. It hears the connection's RDMA operations in order of acceptance, puts Sends
// together for the Dialogue, and hands Reads and Writes to Operations.
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
  void on_anomaly(const rdma::Anomaly& anomaly) override;
  void on_end(rdma::EndReason reason, const Stamp& at) override;

  void expect(rdma::OpKind kind, Side from, Nearing step) const override;

  // Nothing more comes: reports what is open.
  void finish();

  // For want of memory something of it is about to be given up, which is reported once, and from here on
  // counts as missing from the capture.
  void note_given_up(const Stamp& at);
  void shrink();  // frees what it has no use for at the moment
  // For want of memory: reports the answered RPCs that linger, or the older half of the open ones.
  void report_early(Departures::Early what, const Stamp& at);
  bool any_open() const { return exchanges_.departures().any(Departures::Early::open); }

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
  std::optional<rdma::Fault> last_fault_;  // a receiver complains until it gets what it wants
  bool given_up_ = false;                  // that something was is reported
  base::Account account_;
  base::Occasion measured_;
};

}  // namespace steertag::flow
