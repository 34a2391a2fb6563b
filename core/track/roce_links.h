// RoceLinks: the connections that a RoceTable has: each is found by its number and by the halves under which
// its packets come, until it is removed; and the idlest of them is known, and which are open between two
// hosts. Which halves belong together, and when a connection is over, the RoceTable says.
#pragma once

#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "base/budget.h"
#include "base/idlest.h"
#include "frame.h"
#include "link/icmp.h"
#include "rdma/roce/cm.h"
#include "track/arrival.h"
#include "track/half.h"
#include "track/ports.h"
#include "track/roce_link.h"

namespace steertag::track {

class RoceLinks {
 public:
  using Port = Ports<RoceLink>::Port;

  // What they hold is charged to `budget`, which must outlive them.
  explicit RoceLinks(base::Budget& budget) : budget_(budget) {}

  Port find(const Half& half) const { return ports_.find(half); }
  // An ICMP error counts with the connection that has sent such a packet lately. Where it quotes no BTH, that
  // is the only one between the hosts whose sender has the UDP port of the quote; at most kMostAlike are
  // looked at.
  static constexpr size_t kMostAlike = 64;
  void on_icmp(const link::IcmpError& error, const Stamp& at) const;
  // A REJ of the CM counts with the open connection that has its Communication IDs; at most kMostAlike are
  // looked at.
  void on_reject(const Arrival& arrival, const rdma::roce::CmMessage& reject) const;
  // As Ports has it.
  template <typename MakeHalf>
  Port find(uint64_t flow, uint32_t qpn, const MakeHalf& half) {
    return ports_.find(flow, qpn, half);
  }
  // These come next: prefetches. At most kMostExpected are looked at.
  static constexpr size_t kMostExpected = 32;
  void expect(std::span<const Arrival* const> coming);

  size_t size() const { return links_.size(); }
  uint64_t opened() const { return opened_; }  // so many so far: the number of the latest
  // A new connection between these halves, of which the first is what side a sends. Precondition: no other
  // has them.
  RoceLink& add(const Half& from_a, const std::optional<Half>& from_b);
  // Its QPs are new, or gone: it has its place among the idlest by that.
  void rank(const RoceLink& link);
  RoceLink& idlest();  // precondition: there is one
  void remove(const RoceLink& link);
  void clear();
  std::vector<RoceLink*> all() const;  // in no order

 private:
  using Between = std::tuple<base::Address, base::Address, uint64_t>;  // hosts, the lesser first; the number

  static Between between(const base::Address& x, const base::Address& y, uint64_t number);
  Port sender_of(const link::IcmpError::Quote& quote) const;
  // Calls `look` for each open connection between two hosts, as what the first of them sends. False where
  // there are more than kMostAlike.
  template <typename Look>
  bool each_between(const base::Address& one, const base::Address& other, const Look& look) const;
  std::optional<RoceLink::Idle> idle(uint64_t number) const;

  base::Budget& budget_;
  Ports<RoceLink> ports_;
  absl::flat_hash_map<uint64_t, std::unique_ptr<RoceLink>> links_;  // by RoceLink::number
  base::Idlest<uint64_t, RoceLink::Idle> idlest_;                   // of links_, by number
  absl::btree_set<Between> open_;                                   // of links_, those that have QPs
  uint64_t opened_ = 0;
};

}  // namespace steertag::track
