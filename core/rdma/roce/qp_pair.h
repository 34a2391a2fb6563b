// QpPair: turns the captured packets of one pair of QPs into rdma::RdmaOps. It emulates the
// receivers of both ends rather than believing the tap (IBTA vol. 1 §9.7): a packet counts if
// the receiver would have accepted it. For each side
//
//   IcrcWatch    drops what its receiver drops, where ICRCs are verified
//   Early        lets a packet wait for the request that it acknowledges
//   Requests     accepts requests in the order of their PSNs, and knows what is missing
//   Responses    ties acknowledgments and Read Responses to the peer's requests
//   OrderWatch   checks what is accepted against what a correct sender does
//
// A packet that breaks the protocol is reported as an Anomaly, and the emulation goes on as
// well as it can. Anomalies are reported only of accepted packets, and only where the packets
// before them are known.
//
// The table of connections owns one per connection, passes it what the CM said, and hands it
// every RC packet of both directions in capture order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/early.h"
#include "rdma/roce/icrc_watch.h"
#include "rdma/roce/order_watch.h"
#include "rdma/roce/outlet.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/reads.h"
#include "rdma/roce/requests.h"
#include "rdma/roce/responses.h"

namespace steertag::rdma::roce {

class QpPair {
 public:
  // How long, in captured time, an acknowledgment waits for what it acknowledges.
  static constexpr int64_t kPatienceNs = Early::kPatienceNs;

  explicit QpPair(Listener& listener);

  // Who wants to know when things were accepted; null: nobody. Outlives it.
  void report_to(Arrivals* arrivals) { outlet_.arrivals = arrivals; }

  // From the CM: path MTU in bytes; the PSN that `sender` starts with.
  void set_path_mtu(uint32_t bytes) { outlet_.path_mtu.propose(bytes); }
  void expect(Side sender, uint32_t first_psn) { ends_[index(sender)].requests.expect(first_psn); }
  // The ICRC of a packet that `from` sent to another QP, that of the CM. A right one proves nothing about the
  // packets of this pair.
  void check(Side from, const IcrcCheck& icrc, const Stamp& at) { ends_[index(from)].icrcs.check(icrc, at); }

  // A side has asked to disconnect. What either sends from here on is received only if it is acknowledged:
  // the rest is reported at the end, as RdmaOp::unreceived and Anomaly::Kind::unreceived.
  void close(const Stamp& at) { outlet_.closed = at; }

  // `packet.icrc` and `packet.captured` are looked at where the caller has filled them in.
  void on_packet(Side from, const Packet& packet, const Stamp& at);
  void finish(const Stamp& at);  // what still waits is reported
  // A packet that `from` sends comes soon: asks for the memory that it will take (base/fetch.h).
  void expect(Side from, Opcode opcode, Listener::Nearing step) const;

  // Nothing that `from` sent is known or suspected to be missing, from the first packet seen to the latest.
  bool whole(Side from) const {
    return ends_[index(from)].requests.whole() && ends_[index(other(from))].early.empty();
  }
  uint64_t lost() const { return outlet_.lost; }  // packets that the capture lacks
  // Where `from` stands in its PSNs, and what it has sent again.
  const Requests::Sent& sent(Side from) const { return ends_[index(from)].requests.sent(); }

  // For want of memory: what waits is reported, and the holes in front of it are gaps.
  void give_up_waiting(const Stamp& at);
  // The packets of either side that wait, and the memory that is kept for the next.
  Shelf& shelf() { return outlet_.shelf; }
  size_t bytes() const;  // of all of it

 private:
  // One side.
  struct End {
    // Every packet passes these.
    OrderWatch watch;
    Early early;
    Requests requests;
    Responses responses;
    Reads reads;
    IcrcWatch icrcs;

    End(QpPair& pair, Side side)
        : watch(pair.outlet_.listener, side),
          early(pair.outlet_.shelf, pair.ends_[index(other(side))].requests),
          requests(pair.outlet_, watch, icrcs, reads, side),
          responses(pair.outlet_, watch, pair.ends_[index(other(side))].requests,
                    pair.ends_[index(other(side))].reads, side),
          icrcs(pair.outlet_.listener, side) {}
    End(const End&) = delete;  // its parts know each other

    void take(const Packet& packet, const Stamp& at);
    // Takes the packets that waited in Early, where what they acknowledge was seen, or has not come for long.
    void release(const Stamp& now, Shelf& shelf);
  };

  void release_early(const Stamp& at);

  Outlet outlet_;
  std::array<End, 2> ends_;
};

// For whoever has to find out which connection a packet belongs to:

// Whether the packet may follow what was seen: its PSN is not far from the one expected.
bool goes_on(const QpPair& pair, Side from, const Packet& packet);
// Whether the packet has the PSN that `from` began with, although the peer has acknowledged that.
bool begins_again(const QpPair& pair, Side from, const Packet& packet);

}  // namespace steertag::rdma::roce
