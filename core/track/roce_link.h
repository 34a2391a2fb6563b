// RoceLink: one connection in the table of RoCE connections, with its emulated QPs and the halves
// under which its packets are found. RoceLinks owns them, and RoceTable says what becomes of them:
// when they are set up, and when they are over.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/address.h"
#include "base/budget.h"
#include "rdma/roce/cm.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/qp_pair.h"
#include "track/connection.h"
#include "track/half.h"
#include "track/setups.h"

namespace steertag::track {

// The DREP that confirms a DREQ: who sends it, to whom, and the Communication ID of the DREQ.
struct AwaitedDrep {
  base::Address from, to;
  uint32_t comm_id = 0;

  friend bool operator==(const AwaitedDrep&, const AwaitedDrep&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const AwaitedDrep& drep) {
    return H::combine(std::move(h), drep.from, drep.to, drep.comm_id);
  }
};

// A connection, its emulated QPs and its Listener. Between the DREQ and the end all are
// still there, for what the peer acknowledges even then. After the end the Link stays in the
// table without QPs, so that packets still under way are not taken for a new connection.
struct RoceLink final : rdma::Listener {
  explicit RoceLink(base::Budget& budget) : account(budget) {}

  // The order in which connections give way: first those that are over, then those not heard of for longest.
  struct Idle {
    bool open = false;
    int64_t heard_ns = 0;
    uint64_t number = 0;
    friend auto operator<=>(const Idle&, const Idle&) = default;
  };
  // The order in which connections end after their DREQs: by DREQ, then by the beginning of the connection.
  struct Closing {
    int64_t since_ns = 0;
    uint64_t order = 0, number = 0;
    friend auto operator<=>(const Closing&, const Closing&) = default;
  };

  static constexpr size_t kInTables = 512;  // bytes that the tables hold of it

  uint64_t number = 0;  // counts the links of the table
  Connection connection;
  std::array<std::optional<Half>, 2> halves;  // by sender
  std::array<uint32_t, 2> comm_ids{};         // of the CM, 0 where not seen
  std::optional<rdma::SetupAgain> asked;      // its REQ, as it came last
  // The PSN that each sender starts with, by sender, as the other end asked for it.
  std::array<std::optional<uint32_t>, 2> starts;
  std::unique_ptr<rdma::roce::QpPair> pair;
  base::Account account;
  base::Occasion measured;
  size_t held = 0;                      // bytes of the packets that wait, as last charged
  std::array<uint16_t, 2> udp_ports{};  // RoCEv2: the source port of its latest packet, by sender
  rdma::Listener* listener = nullptr;
  std::optional<Stamp> closing;  // its DREQ ...
  AwaitedDrep awaited;           // ... and what confirms it
  Closing among_closing() const { return {closing->time_ns, connection.order, number}; }
  Idle idle() const { return {pair != nullptr, connection.last_frame.time_ns, number}; }
  // After the end: packets that came since, and the PSN at which each sender stood. After so many its QPs are
  // in use again, and the setup of that is not in the capture.
  static constexpr uint32_t kLateEnough = 64;
  uint32_t after_end = 0;
  std::array<std::optional<uint32_t>, 2> stood;

  bool set_up_by(Side side, const rdma::roce::CmMessage& cm) const {
    const std::optional<uint32_t>& start = starts[rdma::index(rdma::other(side))];
    return comm_ids[rdma::index(side)] == cm.local_comm_id &&
           (!start || !cm.has_starting_psn || *start == cm.starting_psn);
  }
  // A DREQ with this Communication ID of `by` is for it, neither late nor repeated.
  bool ends_with(Side by, uint32_t comm_id) const {
    const uint32_t known = comm_ids[rdma::index(by)];
    return pair && !closing && (known == 0 || known == comm_id);
  }
  // The packets that it holds are charged at once, the rest now and then.
  void charge() {
    const size_t holds = pair->shelf().bytes();
    if (holds != held || measured.due()) [[unlikely]] {
      held = holds;
      account.set(sizeof(RoceLink) + kInTables + pair->bytes());
    }
  }
  // Enters what the CM said about `side`, whose own packets go to the other end.
  void apply(Side side, const Setup& setup);
  // The same of a link whose first packet was taken for its beginning.
  void begin_with(Side side, const Setup& setup);
  // Its REQ came again, although the connection is up.
  void ask_again(Side side, const Stamp& at);
  // A REJ has ended it: nothing came since.
  bool rejected() const {
    return connection.rejection && !captured_before(connection.rejection->at, connection.last_frame);
  }
  // The connection is over, at the DREQ or REJ or else at `at`; returns how many packets it lacked. Its QPs
  // are gone.
  uint64_t end(rdma::EndReason reason, const Stamp& at);
  // A packet comes soon: prefetches, one pointer further with each step (base/fetch.h).
  enum class Step : uint8_t { link, parts, listener, contents };
  void fetch(Side from, rdma::roce::Opcode opcode, Step step) const;
  // Is it of another capture, which only names the same QPs? The connection was left alone, or has ended, and
  // it does not go on where that stopped.
  bool left_for_another(Side from, const rdma::roce::Packet& packet, const Stamp& at) const;
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
  void on_stray_acknowledgment(Side from, const Stamp&) override {
    ++connection.end(from).stray_acknowledgments;
  }
  void on_acknowledged(Side by, const Stamp& at) override {
    connection.end(by).acknowledged_ns = at.time_ns;
    listener->on_acknowledged(by, at);
  }
  void on_anomaly(const rdma::Anomaly& anomaly) override { listener->on_anomaly(anomaly); }
  void on_end(rdma::EndReason, const Stamp&) override {}

 private:
  void settle_rejection();
  void tell_asked(Side side, const Setup& request);
};

}  // namespace steertag::track
