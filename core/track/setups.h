// Setups: the REQs and REPs of the CM whose counterparts have not been seen yet. A REQ
// and the REP that answers it name the two QPs of one connection. They are found by QP
// (Half), or by Communication ID.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "base/address.h"
#include "frame.h"
#include "rdma/op.h"
#include "rdma/roce/cm.h"
#include "rdma/roce/packet.h"
#include "track/arrival.h"
#include "track/connection.h"
#include "track/half.h"
#include "track/pairing.h"

namespace steertag::track {

// What a REQ or REP said about the end that sent it.
struct Setup {
  static constexpr size_t kMostAgain = 8;
  // What comes once more sooner than that is a copy of a mirror: the CM waits for seconds.
  static constexpr int64_t kResent_ns = 100'000'000;

  Half half;  // the flow of packets *to* that end
  Stamp at;
  uint64_t order = 0;
  rdma::Transport transport{};
  bool active = false;       // a REQ: its sender is the client
  bool repeated = false;     // it repeats that of a known connection
  std::vector<Stamp> again;  // when it was sent again: the first kMostAgain
  uint32_t psn = 0;          // of its packet
  uint32_t comm_id = 0, qpn = 0;
  uint32_t peer_comm_id = 0;             // REP: that of the REQ which it answers
  std::optional<uint32_t> starting_psn;  // where the other end starts to send
  uint32_t path_mtu = 0;                 // bytes; REQ only
  std::optional<Retries> retries;
  std::optional<uint8_t> service_level;  // REQ only
  uint16_t port = 0;                     // REQ: RDMA IP CM Service port of the passive end
  rdma::SetupHalf facts;
  std::vector<uint8_t> private_data;
  std::optional<rdma::roce::IcrcCheck> icrc;  // where it was verified

  bool damaged() const { return icrc && icrc->computed != icrc->carried; }
  void note_again(const Stamp& now);
  // Is it `first`, sent once more? Then it says nothing new.
  bool repeats(const Setup& first) const;
};

// What the REQ or REP that arrived says.
Setup setup_of(const Arrival& arrival, const rdma::roce::CmMessage& cm);

class Setups {
 public:
  static constexpr size_t kMaxLookedAt = 64;  // of them, for one flow
  static constexpr size_t kMax = 16384;       // REQs and REPs that wait; the oldest gives way

  // Remembers it, unless it repeats one that is remembered; returns the one that is.
  Setup& hear(Setup setup);
  Setup* find(const Half& half);
  // The REQ of this Communication ID, whose sender is the source of `half` and which went to its destination.
  Setup* request(const base::Address& from, const base::Address& to, uint32_t comm_id);
  // Takes out what the sender of a flow has said of itself, whose other direction is not in the capture: the
  // REQ, or the REP, names the QP of that direction alone, and the PSN shows that they belong together.
  std::optional<Setup> take_half(const Match& flow);
  // The REQ that a REP answers; or, for a REQ, the REP that was captured shortly before it, as happens where
  // each direction has a tap of its own.
  Setup* counterpart(const Setup& setup);
  void forget(const Half& half);

 private:
  struct Pair {  // what a REQ and its REP share
    base::Address active, passive;
    uint32_t comm_id = 0;  // of the REQ
    bool request = false;
    friend bool operator==(const Pair&, const Pair&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Pair& p) {
      return H::combine(std::move(h), p.active, p.passive, p.comm_id, p.request);
    }
  };
  using Place = std::list<Setup>::iterator;
  static Pair pair_of(const Setup& setup);
  void remove(Place place);

  std::list<Setup> all_;  // the oldest first
  absl::flat_hash_map<Half, Place> by_half_;
  absl::flat_hash_map<Pair, Place> by_pair_;  // the latest of each
};

// CutSetups: the pairs of hosts between which a CM message passed that the snaplen cut
// before its QP number. It may have set up or ended any of the connections that the two
// hosts had by then, so that packets with the same QPs may belong to a new one.
class CutSetups {
 public:
  static constexpr size_t kMaxHosts = 4096;  // pairs; beyond that it may have been any two hosts

  bool empty() const { return latest_.empty(); }  // always so in most captures

  // `opened`: number of the latest connection.
  void note(const base::Address& x, const base::Address& y, uint64_t opened) {
    const std::pair<base::Address, base::Address> hosts = std::minmax(x, y);
    if (latest_.size() == kMaxHosts && !latest_.contains(hosts)) {
      latest_.clear();
      forgotten_ = opened;
    }
    latest_[hosts] = opened;
  }
  // Has such a message passed since the connection with this number was opened?
  bool since(const base::Address& x, const base::Address& y, uint64_t number) const {
    if (number <= forgotten_) {
      return true;
    }
    const auto found = latest_.find(std::minmax(x, y));
    return found != latest_.end() && found->second >= number;
  }

 private:
  absl::flat_hash_map<std::pair<base::Address, base::Address>, uint64_t> latest_;
  uint64_t forgotten_ = 0;  // the latest connection when pairs were last forgotten
};

}  // namespace steertag::track
