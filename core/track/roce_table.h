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

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/idlest.h"
#include "frame.h"
#include "link/packet.h"
#include "moment.h"
#include "rdma/roce/cm.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/qp_pair.h"
#include "track/arrival.h"
#include "track/connection.h"
#include "track/cut_setups.h"
#include "track/give_up.h"
#include "track/half.h"
#include "track/pairing.h"
#include "track/ports.h"
#include "track/setups.h"

namespace steertag::track {

class RoceTable {
 public:
  static constexpr size_t kMaxLinks = 16384;            // connections at a time; the idlest gives way
  static constexpr int64_t kClosingNs = 5'000'000'000;  // how long one is followed after its DREQ

  // What it holds is charged to `budget`, which must outlive it. `now` is set to the Moment of each
  // report to the Observer.
  RoceTable(Observer& observer, base::Budget& budget, Moment& now);
  ~RoceTable();

  void on_packet(const Arrival& arrival);
  // These come next, though some perhaps not to this table: prefetches the memory of their connections
  // (base/fetch.h).
  static constexpr size_t kMostExpected = 32;
  void expect(std::span<const Arrival> coming);
  // An Arrival of another table's: time passes here, too.
  void on_elsewhere(const Arrival& arrival);
  void finish();
  // Gives up things of that kind until the budget is eased, or none is left.
  void give_up(GiveUp what, const Stamp& at);

  uint64_t lost() const { return lost_; }  // packets that closed connections lacked

 private:
  struct Link;
  // The order in which connections give way: first those that are over, then those not heard of for longest.
  struct Idle {
    bool open = false;
    int64_t heard_ns = 0;
    uint64_t number = 0;
    friend auto operator<=>(const Idle&, const Idle&) = default;
  };
  using Port = Ports<Link>::Port;
  // The order in which connections end after their DREQs: by DREQ, then by the beginning of the connection.
  struct Closing {
    int64_t since_ns = 0;
    uint64_t order = 0, number = 0;
    friend auto operator<=>(const Closing&, const Closing&) = default;
  };

  void on_copy(const link::Packet& packet, const Stamp& at);
  void deliver(Link& link, Side from, const rdma::roce::Packet& packet, const Stamp& at);
  void note(Link& link, Congestion::Kind kind, Side from, const Stamp& at);
  void on_cm(const link::Packet& packet, const rdma::roce::CmMessage& cm, const Stamp& at, uint64_t order);
  void on_setup(const link::Packet& packet, const rdma::roce::CmMessage& cm, const Stamp& at, uint64_t order);
  void on_disconnect(const link::Packet& packet, const rdma::roce::CmMessage& cm, const Stamp& at);

  void join(const Setup& active, const Setup& passive, const Stamp& at);
  Setup setup_of(const link::Packet& packet, const rdma::roce::CmMessage& cm, const Stamp& at,
                 uint64_t order) const;
  Link& open(const Half& from_a, const std::optional<Half>& from_b, rdma::Transport transport,
             const Stamp& at, uint64_t order);
  std::vector<std::pair<Side, Waiting>> take_early(const Setup& first, const Half& from_a, const Half& from_b,
                                                   const Stamp& at);
  void apply(Link& link, Side side, const Setup& setup);
  void pair(const Match& match);
  void end(Link& link, rdma::EndReason reason, const Stamp& at);
  void close(Link& link);
  bool begins_again(const Link& link, Side from) const;
  bool reopened(const Link& link) const;
  bool is_another(const Link& link, Side from, const Stamp& at) const;
  void replace(Link& link, const Stamp& at);
  void leave(Link& link);
  void report_rest(Link& link);
  void end_closing(const Stamp& at);
  void make_room(const Stamp& at);
  std::optional<Idle> idle(uint64_t number) const;
  void give_up(Link& link, GiveUp what, const Stamp& at);

  Observer& observer_;
  base::Budget& budget_;
  Moment& now_;
  Ports<Link> ports_;
  absl::flat_hash_map<uint64_t, std::unique_ptr<Link>> links_;  // by Link::number
  base::Idlest<uint64_t, Idle> idlest_;                         // of links_, by number
  uint64_t opened_ = 0;
  absl::btree_map<Closing, Link*> closing_;  // those with Link::closing
  Setups setups_;
  CutSetups cut_setups_;
  PairFinder unpaired_;
  rdma::roce::Packet packet_;
  rdma::roce::CmMessage cm_;
  uint64_t lost_ = 0;
};

}  // namespace steertag::track
