// Requests: the request packets of one side, as its peer receives them: accepted in the
// order of their PSNs (IBTA vol. 1 §9.7).
//
//   PSN as expected   accepted; then what waited and now follows on
//   PSN behind        a retransmission
//   PSN ahead         waits until the hole is filled (the network lost it, and the
//                     sender repeats it) or the peer acknowledges past the hole
//                     (the capture lost it: on_gap, and it goes on behind it)
#pragma once

#include <cstdint>
#include <optional>

#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/loss.h"
#include "rdma/roce/operations.h"
#include "rdma/roce/outlet.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/reads.h"
#include "rdma/roce/retransmissions.h"
#include "rdma/roce/sequence.h"
#include "rdma/roce/waiting_room.h"

namespace steertag::rdma::roce {

class Requests {
 public:
  // What others ask about the requests of this side.
  struct Sent {
    Sequence sequence;
    Operations operations;
    Retransmissions retransmissions;
  };

  // `reads`: those of this side, whose Responses the peer sends.
  Requests(Outlet& outlet, OrderWatch& watch, const IcrcWatch& icrcs, Reads& reads, Side from)
      : outlet_(outlet),
        watch_(watch),
        reads_(reads),
        from_(from),
        waiting_(outlet.shelf),
        loss_(outlet.listener, from, icrcs),
        sent_{{}, {outlet, watch, reads, from}, {outlet.listener, from}} {}

  // The PSN that they start with, from the CM.
  void expect(uint32_t first_psn);
  void on_packet(const Packet& packet, const Stamp& at);
  // The peer has accepted everything up to and including `psn`: Sequence::confirmed is the PSN after it.
  void confirm(uint32_t psn, const Stamp& at);
  // The packets from the expected one up to, but not including, `up_to` are not coming: the capture lost
  // them. `proof`: what acknowledges them.
  void give_up(uint32_t up_to, const Stamp& at, const std::optional<Stamp>& proof);
  // No more packets come: what still waits is reported.
  void finish(const Stamp& at);
  // What waits is reported now: the holes in front of it are given up. After a DREQ it waits on, to be
  // reported at the end.
  void give_up_waiting(const Stamp& at);

  // What a response answers: what this side has sent, as far as is known; what was not seen yet, while no
  // other packet waits behind a hole; or what is so far from all that it belongs to an earlier connection,
  // perhaps.
  enum class Answered : uint8_t { sent, unseen, strange };
  Answered answered_by(const Packet& response) const {
    const int32_t ahead = sent_.sequence.ahead(last_accepted(response));
    const bool known = !sent_.sequence.begun || (ahead < 0 && ahead >= kFarBehind) || !waiting_.empty();
    return known ? Answered::sent : answered_from_afar(*this, response, ahead);
  }
  // Nothing is known or suspected to be missing, from the first packet seen to the latest.
  bool whole() const { return !lossy_ && waiting_.empty() && !sent_.sequence.acknowledged; }
  const Sent& sent() const { return sent_; }

 private:
  // The rest of answered_by(): `ahead` PSNs from the one that comes next.
  friend Answered answered_from_afar(const Requests& requests, const Packet& response, int32_t ahead);
  void accept(const Packet& packet, const Stamp& at);
  void on_behind(const Packet& packet, const Stamp& at);
  void hold(const Packet& packet, const Stamp& at);
  void drain();
  void settle(const Stamp& at);
  void start_over(uint32_t psn, const Stamp& at);

  Outlet& outlet_;
  OrderWatch& watch_;
  Reads& reads_;
  Side from_;
  bool lossy_ = false;
  WaitingRoom waiting_;
  Loss loss_;
  Sent sent_;
  uint64_t reported_at_gap_ = 0;  // Outlet::reported when the latest gap of this side was reported
};

// The packet was sent again, or something waits for it: tells who wants to know.
void report_late(const Outlet& outlet, Side from, const Requests::Sent& sent, const WaitingRoom& waiting,
                 const Packet& packet, const Stamp& at);

}  // namespace steertag::rdma::roce
