// RoceTable::Link: one connection in the table, with its emulated QPs and the halves
// under which its packets are found. Only for the .cc files of RoceTable: roce_table.cc
// (packets, pairing, ends), roce_setup.cc (the CM), roce_expect.cc and roce_relief.cc.
#pragma once

#include "base/budget.h"
#include "track/roce_table.h"

namespace steertag::track {

inline rdma::Transport transport_of(link::Carrier carrier) {
  switch (carrier) {
    case link::Carrier::roce1:
      return rdma::Transport::roce1;
    case link::Carrier::infiniband:
      return rdma::Transport::infiniband;
    default:
      return rdma::Transport::roce2;
  }
}

inline Half to_receiver(const link::Packet& packet, uint32_t qpn) {
  return {packet.source, packet.destination, qpn};
}
inline Half to_sender(const link::Packet& packet, uint32_t qpn) {
  return {packet.destination, packet.source, qpn};
}

// A connection, its emulated QPs and its Listener. Between the DREQ and the end all are
// still there, for what the peer acknowledges even then. After the end the Link stays in the
// table without QPs, so that packets still under way are not taken for a new connection.
struct RoceTable::Link final : rdma::Listener {
  explicit Link(base::Budget& budget) : account(budget) {}

  static constexpr size_t kInTables = 512;  // bytes that the tables hold of it

  uint64_t number = 0;  // counts the links of the table
  Connection connection;
  std::array<std::optional<Half>, 2> halves;  // by sender
  std::array<uint32_t, 2> comm_ids{};         // of the CM, 0 where not seen
  // The PSN that each sender starts with, by sender, as the other end asked for it.
  std::array<std::optional<uint32_t>, 2> starts;
  std::unique_ptr<rdma::roce::QpPair> pair;
  base::Account account;
  base::Occasion measured;
  size_t held = 0;  // bytes of the packets that wait, as last charged
  rdma::Listener* listener = nullptr;
  std::optional<Stamp> closing;  // its DREQ
  Closing among_closing() const { return {closing->time_ns, connection.order, number}; }
  // After the end: packets that came since, and the PSN at which each sender stood.
  uint32_t after_end = 0;
  std::array<std::optional<uint32_t>, 2> stood;

  bool set_up_by(Side side, const rdma::roce::CmMessage& cm) const {
    const std::optional<uint32_t>& start = starts[rdma::index(rdma::other(side))];
    return comm_ids[rdma::index(side)] == cm.local_comm_id &&
           (!start || !cm.has_starting_psn || *start == cm.starting_psn);
  }
  // The packets that it holds are charged at once, the rest now and then.
  void charge() {
    const size_t holds = pair->shelf().bytes();
    if (holds != held || measured.due()) [[unlikely]] {
      held = holds;
      account.set(sizeof(Link) + kInTables + pair->bytes());
    }
  }
  // A packet comes soon; see roce_expect.cc.
  enum class Step : uint8_t { link, parts, listener, contents };
  void fetch(Side from, rdma::roce::Opcode opcode, Step step) const;
  // After the DREQ: may the packet still belong to this connection?
  bool late(Side from, const rdma::roce::Packet& packet) const;

  void on_setup(Side, const rdma::SetupHalf&, const Stamp&) override {}
  void on_op(const rdma::RdmaOp& op) override { listener->on_op(op); }
  void on_fault(const rdma::Fault& fault) override { listener->on_fault(fault); }
  void on_gap(Side from, const Stamp& at) override {
    ++connection.end(from).gaps;
    listener->on_gap(from, at);
  }
  void on_retransmission(Side from, const Stamp& at) override {
    note_retransmission(connection.end(from), at);
    listener->on_retransmission(from, at);
  }
  void on_acknowledged(Side by, const Stamp& at) override { listener->on_acknowledged(by, at); }
  void on_anomaly(const rdma::Anomaly& anomaly) override { listener->on_anomaly(anomaly); }
  void on_end(rdma::EndReason, const Stamp&) override {}
};

}  // namespace steertag::track
