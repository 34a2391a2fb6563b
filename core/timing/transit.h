// Transit: what became of what the two ends of a connection sent to each other: what was
// late, when it was accepted, how long a round trip between the tap and either end takes.
// Kept only where reports ask for it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "flow/exchange.h"
#include "rdma/op.h"
#include "timing/acceptance.h"
#include "timing/sequences.h"
#include "track/connection.h"

namespace steertag::timing {

using rdma::Side;

// What became of what one end sent, all in all.
struct Passage {
  // Seen behind what follows it, by the same tap, too soon to have been sent again.
  uint64_t reordered = 0;
  Stamp first_reordered;
  // Seen behind what follows it, and later: the first copy was lost before the tap.
  uint64_t unseen = 0;
  Stamp first_unseen;
};

// From where on something of one end was missing, and when its peer said so.
struct Lack {
  uint64_t place = UINT64_MAX;
  int64_t said_ns = 0;
};

class Transit {
 public:
  // `kept`: null where nobody asks.
  explicit Transit(track::Connection& connection, std::unique_ptr<Sequences> kept = nullptr)
      : sequences(std::move(kept)), connection_(connection) {}

  void on_piece(const rdma::RdmaOp& op);  // every one
  // Too soon for anybody to have missed it: within a round trip of its first copy, or of what follows it.
  bool at_once(const rdma::Late& late) const;
  void on_late(const rdma::Late& late);
  void on_fault(const rdma::Fault& fault);
  // `by` lacks what its peer sent from there on.
  void on_lack(Side by, uint64_t place, const Stamp& at) {
    lacks_[rdma::index(rdma::other(by))] = {place, at.time_ns};
  }
  void on_gap() { ++gaps_; }
  uint32_t gaps() const { return gaps_; }  // so far

  // Of what `from` sends; RoCE counts Read Responses apart.
  Acceptance& sent(Side from) { return sent_[rdma::index(from)][0]; }
  Acceptance& responses(Side from) {
    const bool apart = connection_.transport != rdma::Transport::iwarp;
    return sent_[rdma::index(from)][apart ? 1 : 0];
  }
  // With which frame `by` had everything before `end`, as it says at `at`; unset where that is forgotten.
  // `seen`: the frame of what ends there.
  std::optional<Stamp> accepted(Side by, uint64_t end, const Stamp& seen, const Stamp& at);
  // The Responder acts on the Call by then: it has it.
  void imply_call(Exchange& exchange, int64_t known_ns);
  // The shortest round trip between the tap and that end, ns; 0: none was seen.
  int64_t trip_ns(Side end) const { return connection_.end(end).rtt_ns.value_or(0); }
  const Passage& passage(Side from) const { return passages_[rdma::index(from)]; }
  const Acceptance::Outage& outage(Side from) const;  // the longest
  size_t bytes() const;                               // of the heap

  const std::unique_ptr<Sequences> sequences;

 private:
  track::Connection& connection_;
  std::array<std::array<Acceptance, 2>, 2> sent_;  // by sender; requests, and RoCE's Read Responses
  std::array<Passage, 2> passages_;                // by sender
  std::array<Lack, 2> lacks_;                      // by sender, the latest
  uint32_t gaps_ = 0;
};

}  // namespace steertag::timing
