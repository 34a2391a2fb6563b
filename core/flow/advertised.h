// Advertised: who may touch which memory of the two ends of a connection. It knows every
// segment that a Call, or a Reply with a Read list, has advertised: those that are live, those
// that were withdrawn lately, those that were used before they were seen to be advertised,
// and whether there may be more than could be read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "flow/early_effects.h"
#include "flow/exchange.h"
#include "flow/handle_directory.h"
#include "flow/message.h"
#include "flow/retired.h"
#include "flow/segment_index.h"
#include "flow/sink.h"
#include "flow/traffic_keeper.h"

namespace steertag::flow {

struct Common;

class Advertised {
 public:
  using Node = SegmentIndex::Node;

  Advertised(const track::Connection& connection, Common& common);

  // The segments of the Exchange from the `first` on are advertised; where there are more under one handle
  // than are followed, some of them.
  Followed advertise(Advertisement& advertisement, uint32_t first);
  // What it advertises of `owner` is not to be touched any more: the Reply, or the RDMA_DONE, has come.
  void end(Advertisement& advertisement, Side owner);
  void invalidate(Side owner, uint32_t handle, const Stamp& by);  // by Send With Invalidate
  void withdraw(Advertisement& advertisement);                    // its Exchange is reported

  // A message of `owner` advertised more than is known, and perhaps for good.
  void note_cut(Side owner) { cut_[rdma::index(owner)] = true; }
  // Nobody can make out all that the Call advertises, until it is over.
  void note_unreadable(Advertisement& advertisement);
  bool unsure(Side owner) const { return cut_[rdma::index(owner)] || unreadable_[rdma::index(owner)] != 0; }

  // The connection carries RPC-over-RDMA: others between its hosts may hear of what is advertised here.
  void enlist();
  // Frees what nothing is in.
  void shrink();

  // An Advertisement that somebody remembers although it may be withdrawn, and its memory be another's, by
  // then.
  struct Remembered {
    uint32_t seat = 0;
    uint64_t ordinal = 0;  // 0: none
  };
  // Null where it was withdrawn.
  const Advertisement* find(const Remembered& one) const {
    const Advertisement* found = one.ordinal != 0 ? seats_[one.seat] : nullptr;
    return found != nullptr && found->ordinal == one.ordinal ? found : nullptr;
  }

  const SegmentIndex& live(Side owner) const { return live_[rdma::index(owner)]; }
  RetiredSegments& retired(Side owner) { return retired_[rdma::index(owner)]; }
  TrafficKeeper& traffic() { return traffic_; }
  EarlyEffects& early() { return early_; }

 private:
  void seat(Advertisement& advertisement);
  void place(Advertisement& advertisement, Side owner);
  void mark_shared(const Place& results);
  void measure();

  const track::Connection& connection_;
  Common& common_;
  std::array<SegmentIndex, 2> live_;  // by owner of the memory
  std::array<RetiredSegments, 2> retired_;
  TrafficKeeper traffic_;
  EarlyEffects early_;
  std::array<bool, 2> cut_{};
  std::array<uint32_t, 2> unreadable_{};     // Calls under way
  uint64_t placed_ = 0;                      // ordinal of the latest place
  std::vector<const Advertisement*> seats_;  // of those that are not withdrawn; null: free
  std::vector<uint32_t> free_seats_;
  bool enlisted_ = false;
  base::Account account_;
  std::array<std::vector<Place>, 2> coming_;  // while an Advertisement is entered
  std::vector<Node> marked_;                  // the same
};

// For the Standing of a message:

// An unanswered Call that advertises the handle; null where there is none.
const Exchange* find_advertiser(const Advertised& advertised, Side owner, uint32_t handle);
// The Send With Invalidate that invalidated the handle, which no Call has advertised since.
std::optional<Stamp> find_invalidated(Advertised& advertised, Side owner, uint32_t handle);
// Memory for results that this Call advertises although it is part of another unanswered Call.
std::optional<Overlap> find_overlap(const Advertised& advertised, const Message& call);

}  // namespace steertag::flow
