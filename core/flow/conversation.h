// Conversation: what the two ends of one connection say to each other. It hears
// the connection's RDMA operations in order of acceptance, puts Sends together,
// decodes them, finds out whether they are RPC-over-RDMA, and hands Calls,
// Replies, Reads and Writes to the table of Exchanges.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "flow/assembler.h"
#include "flow/claim.h"
#include "flow/exchange_table.h"
#include "flow/history.h"
#include "flow/sink.h"
#include "rdma/anomaly.h"
#include "rdma/op.h"
#include "track/connection.h"

namespace steertag::flow {

class Conversation final : public rdma::Listener {
 public:
  // All must outlive it.
  Conversation(track::Connection& connection, Sink& sink, const Settings& settings);

  void on_setup(Side half, const rdma::SetupHalf& setup, const Stamp& at) override;
  void on_op(const rdma::RdmaOp& op) override;
  void on_fault(const rdma::Fault& fault) override;
  void on_gap(Side from, const Stamp& at) override;
  void on_repeat(Side from, const Stamp& at) override;
  void on_acknowledged(Side by, const Stamp& at) override;
  void on_anomaly(const rdma::Anomaly& anomaly) override;
  void on_end(rdma::EndReason reason, const Stamp& at) override;

  // Tells the Exchanges that have lingered long enough.
  void flush(int64_t now_ns);
  int64_t due() const { return claimed() ? exchanges_.due() : INT64_MAX; }
  // Nothing more comes: tells what is open.
  void finish();

  track::Connection& connection() { return connection_; }
  const ExchangeTable& exchanges() const { return exchanges_; }
  const History& history() const { return history_; }
  bool claimed() const { return claim_.state() == Claim::State::claimed; }
  // Not claimed yet, but something speaks for it.
  bool promising() const { return !claimed() && claim_.promising(); }

 private:
  void on_send(const Send& send);
  void on_unreceived(const Send& send);
  void tell(const Incident& incident);
  Message& decode(const Send& send);
  Part part_of(const Message& message) const;
  void give_up_probes(const Message& call);
  Direction direction_of(const Message& message) const;
  Direction direction_in_truth(const Message& message) const;
  Direction direction_of_nomsg(const Message& message) const;
  Direction direction_of_cut(const Message& message) const;
  bool is_guess(const Message& message) const;
  void find_configuration(Message& message) const;
  void learn_client(const Message& message);
  void learn_version(const Message& message);
  void learn_credits(const Message& message);
  bool is_attempted_call(const Message& message) const;
  bool is_attempted_reply(const Message& message) const;
  void doubt(Side from, const Stamp& at);
  void follow(const Message& message);
  void become_claimed();
  void emit(const Message& message);

  track::Connection& connection_;
  Sink& sink_;
  const Settings& settings_;
  std::array<Assembler, 2> assemblers_;  // by sender
  Claim claim_;
  ExchangeTable exchanges_;
  History history_;

  std::array<std::optional<Invalidation>, 2> invalidations_;  // the latest, by sender

  // The message at hand; refilled for each.
  Message message_;
  rpcrdma::TransportHeader header_;
  rpcrdma::RpcHeader rpc_;
  std::optional<rdma::Fault> last_fault_;  // a receiver complains until it gets what it wants
  bool version_settled_ = false;           // by a non-error Reply
};

}  // namespace steertag::flow
