// Dialogue: the messages of one connection. Of each Send it makes a Message, finds out which
// way it goes and what stands at that moment, reports it, and lets it take effect on the
// Exchanges. Until the connection is believed to carry RPC-over-RDMA at all, what it has to
// report waits.
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
  // It was sent, so it is reported; but nothing comes of it, and it proves nothing.
  void on_unreceived(const Send& send);
  void report(const Incident& incident);
  // From here on, and for what is under way, what was seen of `from` is not all that it sent.
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

  track::Connection& connection_;
  Common& common_;
  Advertised& advertised_;
  Exchanges& exchanges_;
  History& history_;
  Claim claim_;
  Learned learned_;
  bool promising_ = false;                                    // as reported to Numbering
  std::array<std::optional<Invalidation>, 2> invalidations_;  // by sender
};

}  // namespace steertag::flow
