// CopyFilter: finds packets that the capture holds a second time. The mirror port of a switch
// shows both directions of several ports, and so a packet two or three times, microseconds
// apart, perhaps with another TTL, VLAN, MAC address or tunnel; so do merged taps, and
// networks that duplicate packets. Such a copy was not sent again by anybody: it is counted,
// and goes no further.
//
// Two packets are one, seen twice, if all that their sender wrote is the same (the IPv4
// identification; the rest by the ICRC for RoCE, by the checksum for TCP) and they come
// within the window of each other. A retransmission by a sender that does not number its
// packets looks like that, too. The two are told apart like this:
//
//   another TTL, VLAN, MAC address, tunnel or tap                a copy
//   a sender that gives each packet another identification,
//   whose packets come twice, and this one did not yet           a copy
//   the peer has complained of just that packet since it was
//   first seen (NAK, RNR NAK, SACK, a Read Request for it)       another transmission
//   a sender that gives each packet another identification       a copy
//   the peer has complained of something before it               another transmission
//   an RNR NAK, and of its sender nothing else comes twice; or
//   nothing else is known of it, and its timer has run out       another RNR NAK
//   none of these                                                a copy
//
// The table has its full size from the first packet on; a look always takes the same time,
// and reads no payload unless the capture cut it. What is the same for all packets of a flow
// is computed once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/newest.h"
#include "frame.h"
#include "link/packet.h"
#include "rdma/roce/bth.h"

namespace steertag::track {

class CopyFilter {
 public:
  static constexpr size_t kSets = 4096;      // of four packets each, 256 KiB
  static constexpr size_t kComplaints = 64;  // the latest
  static constexpr size_t kAsked = 64;       // RDMA Read Requests, the latest
  static constexpr size_t kSenders = 256;    // whose identifications are watched
  static constexpr size_t kFlows = 64;       // whose hashes are kept for the next packet
  static constexpr int64_t kTick_ns = 1024;  // resolution of its times

  // The widest window is half of the time that ticks can count: 36 minutes.
  explicit CopyFilter(int64_t window_ns)
      : window_(static_cast<uint32_t>(std::clamp<int64_t>(window_ns / kTick_ns, 0, INT32_MAX))) {}

  struct Seen {
    bool copy = false;
    bool marked = false;  // with ECN's CE, which no earlier copy had
  };
  Seen look(const link::Packet& packet, const rdma::roce::Bth& bth, const Stamp& at);
  Seen look(const link::Packet& segment, const Stamp& at);

  // The packet of the last look() is unusable: a copy of it counts as the first.
  void forget() { *last_ = 0; }

 private:
  // What is known of a packet when it is looked for.
  struct Sighting {
    uint64_t content = 0;   // hash of all that its sender wrote
    uint32_t place = 0;     // in the table; packets in sequence have neighbouring places
    uint32_t pair = 0;      // hash of who sent it to whom ...
    uint32_t back = 0;      // ... and of the way back
    uint32_t position = 0;  // in the sequence; differences are signed, 32 bits
    uint32_t now = 0;       // ticks
    uint32_t way = 0;
    uint16_t id = 0;
    bool congested = false;
    bool alike = false;      // its sender may well send equal ones: only proof makes it a copy
    bool asks = false;       // a request: its answers take their positions from it
    bool complains = false;  // of `complained` in the other direction, and what follows it
    uint32_t complained = 0;
    uint32_t asked = 0;  // an RDMA Read Request: for so many positions, at most; else 0
    // An RNR NAK: so many ticks later the next may come of what is sent again; else 0.
    uint32_t patience = 0;
  };
  // Four packets side by side: what is looked at first is in one half of a cache line.
  struct alignas(64) Set {
    static constexpr size_t kEntries = 4;
    std::array<uint64_t, kEntries> content{};
    std::array<uint32_t, kEntries> time{};
    std::array<uint32_t, kEntries> way{};  // the low bits: marked, and came twice

    bool holds(uint64_t of) const {
      return content[0] == of || content[1] == of || content[2] == of || content[3] == of;
    }
    // The first of those that are as old as any. Inline, as every packet asks.
    [[gnu::always_inline]] inline size_t oldest(uint32_t now) const {
      const auto older = [&](size_t x, size_t y) { return now - time[y] > now - time[x] ? y : x; };
      static_assert(kEntries == 4);
      return older(older(0, 1), older(2, 3));
    }
  };
  // What an entry of the same content says of a packet: it is that one again; or where it is to be written.
  struct Met {
    std::optional<Seen> copy;
    size_t at = 0;
  };
  // What is the same for all packets of a link::Packet::flow that one tap saw.
  struct Flow {
    uint64_t number = 0;  // 0: none
    uint32_t tap = 0;
    uint32_t pair = 0, back = 0, way = 0;  // as in Sighting
  };
  struct Complaint {
    uint32_t pair = 0, position = 0, time = 0;
  };
  struct Asked {
    uint32_t pair = 0, position = 0, positions = 0, time = 0;  // `pair`: of the answers
  };
  struct Sender {
    uint32_t pair = 0;
    uint16_t id = 0;
    uint16_t changes = 0;
    // 0: nothing but RNR NAKs was seen of it. More than 1: of its latest packets some came twice, the more
    // the more it is.
    uint8_t twice = 0;
  };

  static void meet_flow(Flow& flow, const link::Packet& packet, const Stamp& at);
  const Flow& flow_of(const link::Packet& packet, const Stamp& at);
  Seen look(const Sighting& sighting);
  Met meet(const Sighting& sighting, Set& set, size_t oldest);
  bool same_transmission(const Sighting& sighting, const Set& set, size_t entry) const;
  std::optional<int32_t> complained_since(const Sighting& sighting, uint32_t time) const;
  bool asked_again(const Sighting& sighting, uint32_t time) const;
  void complain(uint32_t pair, uint32_t position, uint32_t now);
  bool counts_packets(const Sighting& sighting) const;
  bool comes_twice(const Sighting& sighting) const;
  bool is_next_refusal(const Sighting& sighting, uint32_t time) const;
  void note_twice(const Sighting& sighting);
  void watch(const Sighting& sighting);

  uint32_t window_;  // ticks
  std::vector<Set> sets_;
  uint64_t* last_ = nullptr;  // the content of the packet looked at last
  base::Newest<Complaint, kComplaints> complaints_;
  base::Newest<Asked, kAsked> asked_;
  std::array<Sender, kSenders> senders_{};
  std::array<Flow, kFlows> flows_{};
};

}  // namespace steertag::track
