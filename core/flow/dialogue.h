// Dialogue: the message path of one Conversation. It decodes each Send into a Message, determines
// its direction and its Standing, reports it, and applies it to the Exchanges. Until the
// connection is recognised as RPC-over-RDMA (claim.h), messages and incidents are not reported
// but held back.
#pragma once

#include <array>
#include <optional>

#include "flow/advertised.h"
#include "flow/claim.h"
#include "flow/common.h"
#include "flow/direction.h"
#include "flow/exchanges.h"
#include "flow/history.h"
#include "flow/learned.h"

namespace steertag::flow {

class Dialogue {
 public:
  // All must outlive it.
  Dialogue(track::Connection& connection, Common& common, Advertised& advertised, Exchanges& exchanges,
           History& history);

  void trust(Claim::Trust trust) { claim_.trust(trust); }
  Claim::State state() const { return claim_.state(); }
  void on_send(const Send& send);
  // A Send that the peer did not receive: it is reported, but has no effect, and is no evidence of
  // RPC-over-RDMA.
  void on_unreceived(const Send& send);
  void report(const Incident& incident);
  // Notes a gap: `at` or before, `from` sent something that is missing or could not be read. What it may have
  // changed is not certain any more, also for the RPCs under way.
  void doubt(Side from, const Stamp& at);
  // The same of both, where the capture lost frames, of whichever connection, since this was asked last. To
  // be asked before whatever comes next takes effect.
  void heed_drops(const Stamp& at);
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

  track::Connection& connection_;
  Common& common_;
  Advertised& advertised_;
  Exchanges& exchanges_;
  History& history_;
  uint64_t drops_;  // of Common::drops, those that are heeded
  Claim claim_;
  Learned learned_;
  bool compounds_ = false;                                    // a COMPOUND was called, in either direction
  bool promising_ = false;                                    // as last reported to Numbering
  std::array<std::optional<Invalidation>, 2> invalidations_;  // by sender
};

}  // namespace steertag::flow
