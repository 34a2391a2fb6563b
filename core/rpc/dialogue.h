// Dialogue: the message path of one Conversation. It decodes each Send into a Message, determines
// its direction, has its Standing filled in, reports it, and applies it to the Exchanges. Until the
// connection is recognised as RPC-over-RDMA (claim.h), messages and incidents are not reported
// but held back.
#pragma once

#include <array>
#include <optional>

#include "rpc/claim.h"
#include "rpc/exchanges.h"
#include "rpc/learned.h"
#include "rpc/negotiations.h"

namespace steertag::rpc {

class Dialogue {
 public:
  // All must outlive it.
  Dialogue(ConnectionState& state, Exchanges& exchanges, Departures& departures, Negotiations& negotiations);

  void trust(Claim::Trust trust) { claim_.trust(trust); }
  Claim::State state() const { return claim_.state(); }
  void on_send(const Send& send);
  // A Send that the peer did not receive: it is reported, but has no effect, and is no evidence of
  // RPC-over-RDMA.
  void on_unreceived(const Send& send);
  void report(Incident incident);
  // Notes a gap: `at` or before, `from` sent something that is missing or could not be read. What it may have
  // changed is not certain any more, also for the RPCs under way.
  void doubt(Side from, const Stamp& at);
  // The latest Send With Invalidate that `from` sent.
  const std::optional<Invalidation>& invalidation(Side from) const {
    return invalidations_[rdma::index(from)];
  }

 private:
  enum class Belief : uint8_t { reported, waits, dropped };
  Belief believe(const Message& message);
  void reconsider(const Message& message, const rpcrdma::RpcHeader* rpc);
  void orient(Message& message, const rpcrdma::RpcHeader* rpc);
  void settle(Message& message) const;
  void follow(const Message& message);
  void become_claimed(const Message& message);
  void emit(const Message& message);

  ConnectionState& state_;
  Exchanges& exchanges_;
  Departures& departures_;
  Negotiations& negotiations_;
  Claim claim_;
  Learned learned_;
  bool compounds_ = false;                                    // a COMPOUND was called, in either direction
  bool promising_ = false;                                    // as last reported to Numbering
  std::array<std::optional<Invalidation>, 2> invalidations_;  // by sender
};

}  // namespace steertag::rpc
