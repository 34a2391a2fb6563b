// Connection: who talks to whom, and how much of it the capture holds. One
// epoch of a pair of QPs (RoCE, InfiniBand) or of a TCP connection (iWARP): a
// reconnect, even with the same QPNs or ports, is another Connection, and
// nothing carries over.
//
// The tables of this folder own Connections and keep their facts; rules and
// reports read them. A Connection exists as soon as there is reason to follow
// its packets; flow/ finds out whether it carries RPC-over-RDMA.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/address.h"
#include "base/rare.h"
#include "frame.h"
#include "link/icmp.h"
#include "link/packet.h"
#include "rdma/op.h"
#include "rpcrdma/private_data.h"
#include "track/connection_number.h"

namespace steertag::rdma::roce {
struct CmMessage;
}

namespace steertag::track {

struct Arrival;
struct TcpSetup;

using rdma::Side;

// The flow control of one Requester (RFC 8166 §3.3), over all of the connection.
struct Credits {
  std::optional<uint32_t> granted_min, granted_max;  // rdma_credit of the Replies to it
  uint32_t in_flight_max = 0;                        // the most of its Calls that certainly had no Reply yet
  // For how long it had as many Calls outstanding as it was granted, ns. Unset where the grant or the Calls
  // are not known, and without Settings::for_reports.
  std::optional<int64_t> at_limit_ns;
};

// How the packets of one end ask the network to treat them: all values that were seen, a bit for each.
struct TrafficClass {
  uint64_t dscp = 0;             // RFC 2474
  uint8_t ecn = 0;               // RFC 3168 §5: of Not-ECT, ECT(1), ECT(0), CE
  uint16_t priorities = 0;       // IEEE 802.1Q: PCP; link::Packet::kNoPriority too
  uint32_t latest = UINT32_MAX;  // of these, as one number: nearly every packet has those of the one before

  void note(const link::Packet& packet) {
    const uint32_t now = uint32_t{packet.priority} << 8 | packet.routed.traffic_class;
    if (now == latest) [[likely]] {
      return;
    }
    latest = now;
    dscp |= uint64_t{1} << (packet.routed.traffic_class >> 2);
    ecn |= static_cast<uint8_t>(1u << (packet.routed.traffic_class & 3));
    priorities |= static_cast<uint16_t>(1u << packet.priority);
  }
};

// How often one end changed the MAC address or VLAN that its packets come from: the host moved, its link
// failed over, or it is behind several routers.
struct LinkChanges {
  link::Station latest;
  uint64_t count = 0;
  link::Station before;  // the latest change: from this one ...
  Stamp at;              // ... to `latest`, with this frame

  void note(link::Station now, const Stamp& with) {
    if (now == latest) [[likely]] {
      return;
    }
    if (latest.known() && now.known()) {
      ++count;
      before = latest;
      at = with;
    }
    latest = now.known() ? now : latest;
  }
};

// How often an end of RoCE or InfiniBand asks its peer to send again, as its half of the setup says (IBTA
// vol. 1, §12.7): the REQ says all of it, the REP the second alone.
struct Retries {
  std::optional<uint8_t> count;  // of what is not acknowledged in time
  uint8_t rnr = 0;               // of what it had no receive buffer for; 7: for ever
  // The exponent of how long to wait for an acknowledgment, 4.096 us times two to the power of it; 0: for
  // ever.
  std::optional<uint8_t> ack_timeout;
};

// What is known of one end.
struct End {
  base::Address address;
  std::optional<uint32_t> qpn;   // RoCE, InfiniBand: this end's own QP number (24 bits)
  std::optional<uint16_t> port;  // iWARP: its TCP port; RoCE: the RDMA IP CM Service port (passive end)

  bool setup_seen = false;                      // its half of the setup was captured ...
  Stamp setup_at;                               // ... in this frame
  bool private_data_whole = false;              // ... with every byte of its private data
  rpcrdma::PrivateData private_data;            // RFC 8797, where the half was seen and carried it
  std::optional<uint32_t> initiator_depth;      // RDMA Reads that it may have outstanding
  std::optional<uint32_t> responder_resources;  // RDMA Reads that it can serve at a time

  std::optional<Retries> retries;

  TrafficClass traffic_class;  // of the packets that it sent
  LinkChanges link_changes;    // of those in Ethernet
  Credits credits;             // as a Requester
  // When it had last acknowledged all that its peer had sent, ns.
  std::optional<int64_t> acknowledged_ns;
  uint64_t gaps = 0;             // times that packets from this end were found missing from the capture
  uint64_t retransmissions = 0;  // packets or segments that it sent again ...
  Stamp first_retransmission, last_retransmission;  // ... from this one to that one, where there are any
  uint64_t naks = 0;                                // RoCE NAKs that this end sent, RNR NAKs not among them
  uint64_t rnr_naks = 0;               // "receiver not ready": it had no receive buffer posted ...
  Stamp first_rnr_nak, last_rnr_nak;   // ... from this one to that one, where there are any
  uint64_t zero_windows = 0;           // iWARP: times that it closed its TCP window: it had no room
  Stamp first_zero_window;             // the first of them, where there is any ...
  Stamp last_zero_window, last_room;   // ... the last of them, and when it had room again
  uint64_t terminates = 0;             // iWARP Terminate messages that it sent
  uint64_t stray_acknowledgments = 0;  // and NAKs, of an earlier connection (RoCE, InfiniBand)
  uint64_t copies = 0;                 // further sightings of packets that it sent once; copy_filter.h
  uint64_t ecn_ce = 0;                 // packets that it sent and the network marked: ECN's CE
  uint64_t cnps = 0;  // RoCEv2 congestion notifications that it sent: the peer's packets were marked
  // The shortest round trip seen between the tap and this end, ns. Unset where nothing was seen that this end
  // answers at once, and without Settings::for_reports.
  std::optional<int64_t> rtt_ns;
};

// What a network does when it is overloaded. It is nobody's fault, but explains why things
// take their time.
struct Congestion {
  enum class Kind : uint8_t {
    marked,    // a packet that `from` sent carries CE
    notified,  // `from` sent a CNP: its peer is to slow down
  };
  Kind kind = Kind::marked;
  Side from = Side::a;
  Stamp at;
};

// The ICMP errors about packets of a connection that is set up: it goes on with them, or falls silent.
struct IcmpErrors {
  uint64_t count = 0;
  link::IcmpError latest;  // without what it quotes
  Stamp at;                // of that one

  void note(const link::IcmpError& error, const Stamp& now);
};

// How the two one-way flows of a pair of QPs were tied together; pairing.h.
enum class Pairing : uint8_t { setup, inferred, one_sided };

// iWARP: the RST that ended a connection.
struct Reset {
  Side by = Side::a;
  Stamp at;
};

// RoCE, InfiniBand: a REJ of the CM for a connection that was up.
struct Rejection {
  Side by = Side::a;
  uint16_t reason = 0;  // IBTA vol. 1, §12.6.7.2
  Stamp at;
};

struct Connection {
  // 1-based, in order of first frame among the connections that carry RPC-over-RDMA. 0 until this one is
  // known to carry it, or looks promising when a later one is (flow/numbering.h).
  ConnectionNumber number;
  rdma::Transport transport = rdma::Transport::roce2;
  std::array<End, 2> ends;  // by Side
  Pairing pairing = Pairing::setup;
  bool other_end_heard = true;  // TCP: false until a packet of end b was seen
  std::optional<Side> client;   // Requester of the forward direction; unset where nothing shows it

  uint64_t order = 0;  // of its first frame among all frames fed, from 1
  Stamp first_frame;   // the first frame that belongs to it
  Stamp last_frame;
  // Its frames come from several taps: the capture says so, or their order, which no single tap shows.
  // Clocks may differ, and what comes first across directions is not certain.
  bool several_taps = false;
  bool seen_from_start = false;  // anything missing at its beginning would have been noticed
  std::optional<rdma::EndReason> ended;
  std::optional<Side> ended_by;       // who asked for the end first, by a DREQ, FIN, RST or Terminate
  base::Rare<Reset> reset;            // perhaps after a FIN of the other
  base::Rare<Rejection> rejection;    // the latest; it ended this where `ended` says so
  std::optional<bool> end_confirmed;  // whether the other end agreed: a DREP, a FIN of its own
  // Once nothing more comes of it: until when it was watched, ns. Where it did not end, that is when the
  // capture did, however long it was silent before.
  std::optional<int64_t> watched_until_ns;
  uint32_t path_mtu = 0;                 // bytes, of the REQ; 0: not known, or TCP
  std::optional<uint8_t> service_level;  // of the REQ's path
  // How often something that an end sent turned out to be unknown: packets are missing, or shown in an
  // impossible order, or a message was cut in front of its XID. And when that was last.
  uint32_t doubts = 0;
  std::optional<int64_t> last_doubt_ns;
  // When it was heard of for the first time after whoever captured had lost frames of whichever connection.
  std::optional<int64_t> last_drop_ns;

  IcmpErrors icmp;

  // Pause frames that stop a link, captured while this connection was open. They name no connection.
  uint64_t pauses = 0;

  bool carried = false;  // an RDMA operation of any kind was seen
  bool rpcrdma = false;  // at least one RPC-over-RDMA message was seen
  uint32_t version = 0;  // of the latest non-error Reply, else of the latest message; 0: none yet

  // Until when its frames were waited for, ns, as far as is known so far.
  int64_t until_ns() const { return watched_until_ns.value_or(last_frame.time_ns); }
  void note_frame(const Stamp& at) {
    several_taps |= !at.same_tap(first_frame);
    last_frame = at;
  }
  bool one_direction() const { return pairing == Pairing::one_sided || !other_end_heard; }
  const End& end(Side side) const { return ends[rdma::index(side)]; }
  End& end(Side side) { return ends[rdma::index(side)]; }
  bool begins_in_capture() const { return both(&End::setup_seen); }
  bool setup_seen() const { return both(&End::setup_seen) && both(&End::private_data_whole); }

 private:
  bool both(bool End::*fact) const { return ends[0].*fact && ends[1].*fact; }
};

// Of `side`, where there were any, and one tap that saw each packet once shows them.
inline std::optional<LinkChanges> link_changes(const Connection& connection, Side side) {
  const End& end = connection.end(side);
  const bool told = end.link_changes.count != 0 && end.copies == 0 && !connection.several_taps;
  return told ? std::optional(end.link_changes) : std::nullopt;
}

inline void note_rnr_nak(End& end, const Stamp& at) {
  if (end.rnr_naks++ == 0) {
    end.first_rnr_nak = at;
  }
  end.last_rnr_nak = at;
}

// Its TCP window closes, or opens again.
inline void note_room(End& end, bool room, const Stamp& at) {
  if (room) {
    end.last_room = at;
    return;
  }
  if (end.zero_windows++ == 0) {
    end.first_zero_window = at;
  }
  end.last_zero_window = at;
}

// Counts a packet or segment that the end sent again.
inline void note_retransmission(End& end, const Stamp& at) {
  if (end.retransmissions++ == 0) {
    end.first_retransmission = at;
  }
  end.last_retransmission = at;
}

// Counts it.
void note_congestion(Connection& connection, const Congestion& congestion);

// Whether what was seen at `at` may be unrelated to what was last seen at `last`: another tap saw it, and
// much later. Independent captures may name the same addresses, ports and QPs.
constexpr bool out_of_touch(const Stamp& last, const Stamp& at) {
  constexpr int64_t kInTouchNs = 10'000'000'000;
  return !at.same_tap(last) && at.time_ns - last.time_ns > kInTouchNs;
}

// Enters what one half of the setup says.
void note_setup(Connection& connection, Side half, const rdma::SetupHalf& setup, const Stamp& at);

// Observer: hears of connections. The Listener that on_open() returns hears of the
// connection's RDMA operations; it must live until on_close().
class Observer {
 public:
  virtual rdma::Listener& on_open(Connection& connection) = 0;
  virtual void on_close(Connection& connection) = 0;
  // Comes between the two. Already counted in the Connection.
  virtual void on_congestion(const Connection& /*connection*/, const Congestion& /*congestion*/) {}
  // iWARP: a part of one of its streams, before the operations in it.
  virtual void on_unit(const Connection& /*connection*/, const rdma::Unit& /*unit*/) {}
  // For want of memory, the connection, or the packets of it that wait, are about to be given up.
  virtual void on_give_up(const Connection& /*connection*/, const Stamp& /*at*/) {}
  // A message of the CM, before anything follows from it.
  virtual void on_cm(const Arrival& /*arrival*/, const rdma::roce::CmMessage& /*message*/) {}
  // A TCP connection that carried no RPC-over-RDMA is over, or given up, or the capture is; also of those
  // that were never opened.
  virtual void on_tcp_over(const TcpSetup& /*setup*/, const Connection& /*connection*/) {}
  // Whether an RPC is under way on it.
  virtual bool busy(const Connection& /*connection*/) const { return false; }
  // The budget may be exceeded, and this is a good moment to make room. The table that calls this may lose
  // connections by it.
  virtual void on_pressure(const Stamp& /*at*/) {}

 protected:
  ~Observer() = default;
};

// GiveUp: what the tables of connections give up, step by step, while more memory is held than
// Options::memory allows. relief.h has the order of all steps; idlest_first() gives the order
// within one step.
enum class GiveUp : uint8_t {
  spare,      // memory that is kept for the next use
  strangers,  // one-way flows without a counterpart, TCP connections that did not prove to be iWARP
  waiting,    // what waits behind holes, which become gaps
  idle,       // connections that are over, or silent for kIdleNs without an open RPC
  any,        // any connection
};

// A connection that was silent for this long, in captured time, is idle.
inline constexpr int64_t kIdleNs = 1'000'000'000;

// Sorts pointers to anything that has a `connection`.
template <typename Pointer>
void idlest_first(std::vector<Pointer>& some) {
  std::sort(some.begin(), some.end(), [](const Pointer& x, const Pointer& y) {
    const Connection &a = x->connection, &b = y->connection;
    return std::pair(a.last_frame.time_ns, a.order) < std::pair(b.last_frame.time_ns, b.order);
  });
}

}  // namespace steertag::track
