// PairFinder: ties one-way flows of RoCE and InfiniBand together where no
// connection setup shows which belong together: a packet names the QP that
// it goes to, and no other. Each of these is a vote for a flow the other way, if
// it is the only one that fits:
//
//   an ACK or Read Response whose PSN lies among its latest requests
//   a Send whose XID it has sent
//
// Two of them in a row make a pair. One may be chance: connections may count their XIDs
// alike, and the Call that a Reply answers may lie before the capture. At its end one is
// enough, if no other flow is a candidate. Until then a flow's latest packets wait here, so
// that nothing is lost when the pair is found; how much waits is bounded.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/idlest.h"
#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/packet.h"
#include "track/half.h"

namespace steertag::track {

// A packet kept beyond its frame.
struct Waiting {
  rdma::roce::Packet packet;  // its payload points into `bytes`
  std::vector<uint8_t> bytes;
  Stamp at;
  uint64_t order = 0;
};

struct Match {
  Half from_a;                 // the flow whose first packet came first
  std::optional<Half> from_b;  // absent: the other direction is not in the capture
  uint64_t order = 0;          // of that packet's frame
  rdma::Transport transport = rdma::Transport::roce2;
  std::vector<std::pair<rdma::Side, Waiting>> packets;  // of both, in order
  std::array<uint64_t, 2> copies{};                     // copies seen of such packets, by sender
  std::array<uint64_t, 2> dropped{};                    // packets before these that were not kept, likewise

  // What `from` sends starts elsewhere than with this PSN.
  bool starts_elsewhere(rdma::Side from, uint32_t psn) const;
  // `from` answers requests that start with this PSN, or a little behind it.
  bool answers_from(rdma::Side from, uint32_t psn) const;
};

class PairFinder {
 public:
  static constexpr size_t kMaxFlows = 16384;        // flows waiting; the idlest is dropped
  static constexpr size_t kMaxOfHosts = 256;        // of them, between two hosts in one direction; likewise
  static constexpr size_t kMaxPackets = 256;        // that one flow keeps; the oldest is dropped
  static constexpr size_t kMaxBytes = 64 << 10;     // of payload that one flow keeps
  static constexpr size_t kMaxTogether = 64 << 20;  // bytes that all of them keep; the idlest flow is dropped

  // What waits is charged to `budget`, which must outlive it.
  explicit PairFinder(base::Budget& budget) : account_(budget) {}

  // The next packet of an unpaired flow. A match is taken out of the finder.
  std::optional<Match> add(const Half& half, rdma::Transport transport, const rdma::roce::Packet& packet,
                           const Stamp& at, uint64_t order);
  // A packet of that flow was captured a second time.
  void note_copy(const Half& half);
  bool knows(const Half& half) const { return flows_.contains(half); }
  uint64_t copies(const Half& half) const;
  size_t kept() const { return kept_; }  // bytes of the packets that wait
  bool empty() const { return flows_.empty(); }
  void drop_idlest();                            // precondition: not empty
  std::deque<Waiting> forget(const Half& half);  // returns its packets that waited
  // Takes out what waited of both since the frame with that order, for a REP that was captured at `at`; each
  // with the side that has sent it.
  std::vector<std::pair<rdma::Side, Waiting>> take_early(uint64_t since, const Half& from_a,
                                                         const Half& from_b, const Stamp& at);
  // Takes out the flow of this half if none between its hosts goes the other way.
  std::optional<Match> lonely(const Half& half);
  // Takes out the flow of this half if a packet at `at` is unlikely to be more of it: out_of_touch().
  std::optional<Match> outdated(const Half& half, const Stamp& at);
  // Takes out the flows that are left, paired if one vote is enough, in order of first packet.
  std::vector<Match> finish();

 private:
  struct Hosts {
    base::Address source, destination;
    friend bool operator==(const Hosts&, const Hosts&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Hosts& hosts) {
      return H::combine(std::move(h), hosts.source, hosts.destination);
    }
  };
  struct Flow {
    Half half;
    rdma::Transport transport{};
    uint64_t first_order = 0, last_order = 0;
    std::deque<Waiting> waiting;
    size_t waiting_bytes = 0;  // of payload
    uint64_t copies = 0, dropped = 0;
    bool requested = false;
    uint32_t low = 0, high = 0;  // PSNs of its requests
    std::array<uint32_t, 32> xids{};
    size_t xid_count = 0;
    uint64_t number = 0;     // counts the flows of the finder
    uint64_t favourite = 0;  // number of the flow that has the votes; 0: none
    uint32_t votes = 0;
    bool settled = false;  // finish() has paired it with another flow

    bool full() const { return waiting.size() >= kMaxPackets || waiting_bytes >= kMaxBytes; }
    size_t kept() const { return waiting_bytes + waiting.size() * sizeof(Waiting); }
    bool asked(uint32_t psn) const;
    bool sent(uint32_t xid) const;
  };

  // Without its packets, but with what the tables hold of it.
  static constexpr size_t kBytesOfFlow = sizeof(Flow) + 1024;

  bool alone(const Half& half) const { return !by_hosts_.contains({half.destination, half.source}); }
  Flow& find_or_add(const Half& half, rdma::Transport transport, uint64_t order);
  void make_room(const std::vector<Flow*>& of_hosts);
  void charge() { account_.set(kept_ + flows_.size() * kBytesOfFlow); }
  std::optional<uint64_t> last_used(const Half& half) const;
  void note_request(Flow& flow, const rdma::roce::Packet& packet);
  void keep(Flow& flow, const rdma::roce::Packet& packet, const Stamp& at, uint64_t order);
  Flow* judge(Flow& flow, const rdma::roce::Packet& packet);
  template <typename Fits>
  Flow* only_one(const Flow& flow, Fits fits);
  Flow* likely(const Flow& flow);
  Match take(Flow& first, Flow* second);
  void remove(Flow& flow);

  absl::flat_hash_map<Half, std::unique_ptr<Flow>> flows_;
  base::Idlest<Half, uint64_t> idlest_;  // of flows_, by the order of their latest packet
  base::Account account_;
  uint64_t added_ = 0;
  size_t kept_ = 0;  // bytes, of all flows
  absl::flat_hash_map<Hosts, std::vector<Flow*>> by_hosts_;
};

}  // namespace steertag::track
