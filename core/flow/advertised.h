// Advertised: who may touch which memory of the two ends of a connection. It knows every
// segment that a Call, or a Reply with a Read list, has advertised: those that are live, those
// that were withdrawn lately, those that were used before they were seen to be advertised,
// and whether there may be more than could be read. Operations and rules ask it by byte.
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
#include "flow/seats.h"
#include "flow/segment_index.h"
#include "flow/sink.h"
#include "flow/traffic_keeper.h"
#include "flow/unread.h"

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

  // The connection carries RPC-over-RDMA: others between its hosts may hear of what is advertised here.
  void enlist();
  // Frees what nothing is in.
  void shrink();

  const SegmentIndex& live(Side owner) const { return live_[rdma::index(owner)]; }
  RetiredSegments& retired(Side owner) { return retired_[rdma::index(owner)]; }
  TrafficKeeper& traffic() { return traffic_; }
  EarlyEffects& early() { return early_; }
  Unread& unread() { return unread_; }
  const Seats& seats() const { return seats_; }

 private:
  void place(Advertisement& advertisement, Side owner);
  void mark_shared(const Place& results);
  void measure();

  const track::Connection& connection_;
  Common& common_;
  std::array<SegmentIndex, 2> live_;  // by owner of the memory
  std::array<RetiredSegments, 2> retired_;
  TrafficKeeper traffic_;
  EarlyEffects early_;
  Unread unread_;
  Seats seats_;          // of those that are not withdrawn
  uint64_t placed_ = 0;  // ordinal of the latest place
  bool enlisted_ = false;
  base::Account account_;
  std::array<std::vector<Place>, 2> coming_;  // while an Advertisement is entered
  std::vector<Node> marked_;                  // the same
};

}  // namespace steertag::flow
