// Timekeeper: the listener that takes the times of one connection's RPCs: when the Call was accepted, which
// copy of the Reply was accepted, what slowed it down; and says what each was about once it is over. What
// the transport conveys its TransportWatch hears. Kept only where reports ask for it.
#pragma once

#include <memory>

#include "flow/slowdown.h"
#include "rpc/connection_state.h"
#include "timing/credit_clock.h"
#include "timing/transit.h"
#include "timing/transport_watch.h"
#include "timing/unacknowledged.h"

namespace steertag::timing {

class Timekeeper final : public rpc::ExchangeListener {
 public:
  // Both must outlive it.
  Timekeeper(rpc::ConnectionState& state, Shared& shared)
      : state_(state),
        shared_(shared),
        transit_(state.connection, state.common.settings.for_sequences
                                       ? std::make_unique<Sequences>(state.connection.transport)
                                       : nullptr),
        unacknowledged_(state, shared, transit_),
        transport_(state, transit_, unacknowledged_),
        credits_(state) {}

  const Transit& transit() const { return transit_; }
  TransportWatch& transport() { return transport_; }

  void on_call(rpc::Slot& slot, const Message& call) override;
  void on_perhaps_call(rpc::Slot& slot, const Message& call) override;
  void on_reply(rpc::Slot& slot, const Message& reply) override;
  void on_reopened(rpc::Slot& slot) override;
  void on_effect(const Message& message) override { credits_.note(message); }
  void on_over(rpc::Slot& slot) override;
  bool keep(rpc::Slot& slot) override { return unacknowledged_.keep(slot); }
  bool keeps_any() const override { return unacknowledged_.keeps_any(); }
  void let_go(Fate fate) override;

 private:
  Slowdown slowdown() const { return slowdown_of(state_.connection, state_.common.pauses); }

  rpc::ConnectionState& state_;
  Shared& shared_;
  Transit transit_;
  Unacknowledged unacknowledged_;
  TransportWatch transport_;
  CreditLimits credits_;
};

}  // namespace steertag::timing
