// TransportWatch: hears for the Timekeeper what the transport of one connection conveys: notes in the
// Timeline of each Exchange when RDMA moved something for it, in Transit what was late, and reports what
// delays the connection (Disturbance).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "flow/disturbance.h"
#include "rpc/connection_state.h"
#include "timing/losses.h"
#include "timing/transit.h"
#include "timing/unacknowledged.h"

namespace steertag::timing {

class TransportWatch final : public rpc::TransportListener, public rdma::Arrivals {
 public:
  // All must outlive it.
  TransportWatch(const rpc::ConnectionState& state, Transit& transit, Unacknowledged& unacknowledged)
      : state_(state),
        transit_(transit),
        unacknowledged_(unacknowledged),
        losses_(state.connection, state.common.sink, transit.sequences.get()) {}

  void on_piece(const rdma::RdmaOp& op, Exchange* exchange) override;
  void on_fault(const rdma::Fault& fault) override;
  void on_gap() override { transit_.on_gap(); }
  void on_retransmission(Side from, const Stamp& at) override;
  rdma::Arrivals* arrivals() override { return this; }
  size_t bytes() const override;  // that the Timekeeper holds which it is a part of

  void on_late(const rdma::Late& late) override {
    losses_.late(late, transit_.at_once(late));
    transit_.on_late(late);
    late_ = late;
    if (Sequences* const sequences = transit_.sequences.get()) {
      sequences->late(late);
    }
  }
  void on_duplicate(Side by, uint64_t begin, uint64_t end) override {
    transit_.sent(rdma::other(by)).received_twice(begin, end);
    losses_.received_twice(by, begin, end);
  }
  void on_room(Side by, bool room, const Stamp& at) override;
  void on_accepted(Side by, uint64_t position, const Stamp& at) override {
    unacknowledged_.on_accepted(by, position, at);
    losses_.accepted(by, position, at);
    if (Sequences* const sequences = transit_.sequences.get()) {
      sequences->accepted(by, position, at);
    }
  }
  void on_acknowledged_again(Side by, uint64_t position, const Stamp& at) override {
    if (state_.connection.transport == rdma::Transport::iwarp) {
      transit_.on_lack(by, position, at);
    }
    losses_.acknowledged_again(by, position, at);
  }

  void on_setup_again(const rdma::SetupAgain& again) override;

  void finish() { losses_.finish(); }  // nothing more comes

 private:
  void on_rdma(Exchange& exchange, const rdma::RdmaOp& op);
  void disturb(Disturbance::Kind kind, Side from, const Stamp& at,
               const std::optional<Stamp>& original = {}) const;

  const rpc::ConnectionState& state_;
  Transit& transit_;
  Unacknowledged& unacknowledged_;
  Losses losses_;
  rdma::Late late_;  // the latest: told before that it was sent again
};

}  // namespace steertag::timing
