// RoceTable: the connections of RoCEv1, RoCEv2 and InfiniBand. A packet names
// only the QP that it goes to, so a connection is two one-way flows that must be
// tied together:
//
//   by the CM        REQ and REP name both QPNs: certain
//   by inference     the capture starts later: flows wait with their latest
//                    packets until evidence pairs them (pairing.h)
//
// Flows are keyed by {source, destination, QPN}: both ends may use the same QPN,
// and so may any number of other hosts. A REQ or REP that names a QP in use starts
// a new epoch, unless it is a repetition: then its Communication ID and Starting
// PSN are those of the connection.
//
// After a DREQ a connection is followed for a while: what still comes counts if
// the peer acknowledges it, and is reported as not received otherwise.
//
// A packet that the capture holds for a second time (Arrival::copy) is only counted.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "frame.h"
#include "link/icmp.h"
#include "link/packet.h"
#include "moment.h"
#include "rdma/roce/cm.h"
#include "rdma/roce/packet.h"
#include "track/arrival.h"
#include "track/closings.h"
#include "track/connection.h"
#include "track/half.h"
#include "track/pairing.h"
#include "track/roce_links.h"
#include "track/setups.h"

namespace steertag::track {

class RoceTable {
 public:
  static constexpr size_t kMaxLinks = 16384;  // connections at a time; the idlest gives way

  // What it holds is charged to `budget`, which must outlive it. `now` is set to the Moment of each
  // report to the Observer.
  RoceTable(Observer& observer, base::Budget& budget, Moment& now);
  ~RoceTable();

  void on_packet(const Arrival& arrival);
  // These come next, though some perhaps not to this table: prefetches the memory of their connections
  // (base/fetch.h).
  static constexpr size_t kMostExpected = RoceLinks::kMostExpected;
  void expect(std::span<const Arrival* const> coming) { links_.expect(coming); }
  // An Arrival of another table's: time passes here, too.
  void on_elsewhere(const Arrival& arrival);
  // An ICMP error about a datagram.
  void on_icmp(const link::IcmpError& error, const Stamp& at) { links_.on_icmp(error, at); }
  void finish();
  // Gives up things of that kind until the budget is eased, or none is left.
  void give_up(GiveUp what, const Stamp& at);

  uint64_t lost() const { return lost_; }  // packets that closed connections lacked

 private:
  void on_copy(const link::Packet& packet, const Stamp& at);
  void deliver(RoceLink& link, Side from, const rdma::roce::Packet& packet, const Stamp& at);
  void note(RoceLink& link, Congestion::Kind kind, Side from, const Stamp& at);
  void on_cm(const Arrival& arrival);
  void on_setup(const Arrival& arrival);
  void on_disconnect(const link::Packet& packet, const Stamp& at);

  void join(const Setup& active, const Setup& passive, const Stamp& at);
  RoceLink& open(const Half& from_a, const std::optional<Half>& from_b, rdma::Transport transport,
                 const Stamp& at, uint64_t order);
  void pair(const Match& match);
  void end(RoceLink& link, rdma::EndReason reason, const Stamp& at);
  bool begins_again(const RoceLink& link, Side from) const;
  bool reopened(const RoceLink& link) const;
  void replace(RoceLink& link, const Stamp& at);
  void leave(RoceLink& link);
  void report_rest(RoceLink& link);
  void end_closing(const Stamp& at);
  void give_up(RoceLink& link, GiveUp what, const Stamp& at);

  Observer& observer_;
  base::Budget& budget_;
  Moment& now_;
  RoceLinks links_;
  Closings closing_;
  Setups setups_;
  CutSetups cut_setups_;
  PairFinder unpaired_;
  rdma::roce::Packet packet_;
  rdma::roce::CmMessage cm_;
  uint64_t lost_ = 0;
};

}  // namespace steertag::track
