// Follower: the back half of an Analyzer, from packets worth following (intake.h) to
// events. The tables of connections find whose a packet is and what its receiver would
// accept of it; the connection's conversation makes messages and exchanges of that.
//
// A Follower may have a share of the connections only: all between the same two
// addresses. Of the others' frames it hears that they passed, since time is theirs,
// too. What it takes to make several Followers' events those of one is in core/README.md.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>

#include "attempt/attempts.h"
#include "base/newest.h"
#include "event.h"
#include "flow/sink.h"
#include "following.h"
#include "frame.h"
#include "rdma/iwarp/tcp_connection.h"
#include "relief.h"
#include "track/arrival.h"
#include "track/connection.h"
#include "track/iwarp_table.h"
#include "track/roce_table.h"

namespace steertag {

class Follower final : public track::Observer, public flow::Sink {
 public:
  Follower(steertag::Observer& observer, const flow::Settings& flow, const rdma::iwarp::Options& iwarp);

  // Pause frames that are remembered for the connections that are known later than they begin.
  static constexpr size_t kMaxPauses = 1024;

  // These come next, in this order, some of them perhaps not here, and others in between. Nothing follows
  // from it but that what is known of their connections is at hand then.
  static constexpr size_t kMostExpected = track::RoceTable::kMostExpected;
  void expect(std::span<const track::Arrival* const> coming);
  void follow(const track::Arrival& arrival);
  // Not to be followed here: a frame without anything, or one of another's share.
  void pass(const Stamp& at) {
    begin_frame();
    advance(at);
  }
  void pass(const track::Arrival& arrival);
  // Behind the latest frame some are missing, which may have been of any connection.
  void note_dropped() { ++shared_.rpc.drops; }
  void finish();  // the capture ends here: what is open is reported as far as it got

  uint64_t messages() const { return messages_; }                 // MessageSeen events
  uint64_t exchanges() const { return exchanges_; }               // ExchangeDone events
  uint64_t connections() const { return connections_; }           // that carried RPC-over-RDMA
  uint64_t pauses() const { return shared_.rpc.pauses.count(); }  // pause frames that stop a link
  uint64_t lost() const { return roce_.lost(); }                  // packets known to be missing
  uint64_t crc_errors() const { return iwarp_.crc_errors(); }
  uint64_t given_up() const { return shared_.rpc.budget.given_up(); }  // for want of flow::Settings::memory

 private:
  // track::Observer
  rdma::Listener& on_open(track::Connection& connection) override;
  void on_close(track::Connection& connection) override;
  void on_congestion(const track::Connection& connection, const track::Congestion& congestion) override {
    observer_.on(CongestionSeen{connection, congestion});
  }
  void on_give_up(const track::Connection& connection, const Stamp& at) override;
  void on_unit(const track::Connection& connection, const rdma::Unit& unit) override;
  void on_cm(const track::Arrival& arrival, const rdma::roce::CmMessage& message) override {
    attempts_.on_cm(arrival, message);
  }
  void on_tcp_over(const track::TcpSetup& setup, const track::Connection& connection) override {
    attempts_.on_tcp(setup, connection);
  }
  bool busy(const track::Connection& connection) const override;
  void on_pressure(const Stamp& at) override { relief_.run(at); }

  // flow::Sink
  void on_claimed(track::Connection& connection) override;
  void on_message(const flow::Message& message) override;
  void on_placement(const flow::Exchange& exchange, const flow::SegmentFlow& segment, const rdma::RdmaOp& op,
                    uint32_t offset, uint32_t length) override {
    observer_.on(PlacementSeen{exchange, segment, op, offset, length});
  }
  void on_exchange(const flow::Exchange& exchange) override;
  void on_timed(const flow::Exchange& exchange) override { observer_.on(ExchangeTimed{exchange}); }
  void on_negotiation(const flow::Negotiation& negotiation) override {
    observer_.on(NegotiationDone{negotiation});
  }
  void on_incident(const flow::Incident& incident) override { observer_.on(IncidentSeen{incident}); }
  void on_access(const flow::Access& access) override { observer_.on(AccessSeen{access}); }
  void on_disturbance(const track::Connection& connection, const flow::Disturbance& disturbance) override {
    observer_.on(DisturbanceSeen{connection, disturbance});
  }
  void on_loss(const track::Connection& connection, const flow::Loss& loss) override {
    observer_.on(LossSeen{connection, loss});
  }
  void on_piece(const track::Connection& connection, const rdma::RdmaOp& op) override {
    observer_.on(PieceSeen{connection, op});
  }

  void on_icmp(const track::Arrival& arrival);
  void count_pause(const track::Arrival& arrival);
  uint64_t pauses_since(uint64_t order) const;
  void begin_frame() {
    ++now_.frame;
    now_.turn(Moment::Phase::packet);
  }
  void report_attempts();
  void advance(const Stamp& at) {
    shared_.rpc.agenda.advance(at.clock(), at.time_ns);
    now_.turn(Moment::Phase::relief);
    relief_.run(at);
  }

  steertag::Observer& observer_;
  Following::Shared shared_;
  Moment& now_ = shared_.rpc.course.now;
  track::RoceTable roce_;
  track::IwarpTable iwarp_;
  // Each goes before its Connection does, which the two above own.
  Relief::All followed_;
  Relief relief_{shared_.rpc, roce_, iwarp_, followed_};

  attempt::Attempts attempts_;

  base::Newest<uint64_t, kMaxPauses> recent_pauses_;  // ordinals of their frames
  absl::flat_hash_map<const track::Connection*, uint64_t>
      pauses_before_;  // of those open, where there were any
  uint64_t messages_ = 0, exchanges_ = 0, connections_ = 0;
};

}  // namespace steertag
