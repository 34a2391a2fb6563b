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

#include "flow/common.h"
#include "flow/conversation.h"
#include "frame.h"
#include "track/iwarp_table.h"
#include "track/roce_table.h"

namespace steertag {

class Relief {
 public:
  using Conversations = absl::flat_hash_map<const track::Connection*, std::unique_ptr<flow::Conversation>>;

  // All must outlive it.
  Relief(flow::Common& common, track::RoceTable& roce, track::IwarpTable& iwarp, Conversations& conversations)
      : common_(common), roce_(roce), iwarp_(iwarp), conversations_(conversations) {}

  // After each frame, and wherever one may do much.
  void run(const Stamp& at) {
    if (common_.budget.over()) [[unlikely]] {
      make_room(at);
    }
  }

 private:
  void make_room(const Stamp& at);
  void shrink();
  void report_early(flow::Departures::Early what, const Stamp& at);

  flow::Common& common_;
  track::RoceTable& roce_;
  track::IwarpTable& iwarp_;
  Conversations& conversations_;
};

}  // namespace steertag
