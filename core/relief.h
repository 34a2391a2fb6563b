// Relief: makes room where all that an Analyzer holds is more than Options::memory. What is
// of least use goes first, the idlest of it before the rest:
//
//   spare      memory that is kept for the next use
//   strangers  one-way flows without a counterpart, TCP connections not known to be iWARP
//   waiting    packets and segments behind holes: these become gaps
//   idle       connections over, or silent for a second, without an open RPC
//   lingering  answered RPCs are reported at once
//   open       the older half of each connection's open RPCs is reported as it stands, and again
//   any        connections, whatever they do
//
// A walk is over all there is and frees an eighth of the limit at least; so it costs each
// thing that was charged a logarithm, and no packet more.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>

#include "following.h"
#include "frame.h"
#include "track/iwarp_table.h"
#include "track/roce_table.h"

namespace steertag {

class Relief {
 public:
  using All = absl::flat_hash_map<const track::Connection*, std::unique_ptr<Following>>;

  // All must outlive it.
  Relief(rpc::Common& common, track::RoceTable& roce, track::IwarpTable& iwarp, All& followed)
      : common_(common), roce_(roce), iwarp_(iwarp), followed_(followed) {}

  // After each frame, and wherever one may do much.
  void run(const Stamp& at) {
    if (common_.budget.over()) [[unlikely]] {
      make_room(at);
    }
  }

 private:
  void make_room(const Stamp& at);
  void shrink();
  void report_early(rpc::Departures::Early what, const Stamp& at);

  rpc::Common& common_;
  track::RoceTable& roce_;
  track::IwarpTable& iwarp_;
  All& followed_;
};

}  // namespace steertag
