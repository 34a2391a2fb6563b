// Advertised: every memory segment that the two ends of a connection have advertised. A segment
// enters with its Call, or with a Reply that has a Read list. It is closed when the Reply or the
// RDMA_DONE comes, or invalidated by a Send With Invalidate, and leaves the SegmentIndex when its
// Exchange is reported: it is withdrawn. With Settings::for_rules it is remembered for a while
// after that (RetiredSegments), so that a late access can be explained. Also kept here: accesses
// that came before their advertisement (EarlyEffects), and whether an end may have advertised
// memory that could not be read (Unread).
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

  // Enters the segments of the Exchange, from number `first` on. Returns `some` where the bounds of the
  // SegmentIndex leave no room for all of them.
  Followed advertise(Advertisement& advertisement, uint32_t first);
  // Closes its segments in the memory of `owner`: the Reply, or the RDMA_DONE, has come.
  void end(Advertisement& advertisement, Side owner);
  void invalidate(Side owner, uint32_t handle, const Stamp& by);  // by Send With Invalidate
  void withdraw(Advertisement& advertisement);                    // its Exchange is reported

  // The connection carries RPC-over-RDMA: with Settings::for_rules, other connections between its hosts can
  // find its handles from now on (HandleDirectory).
  void enlist();
  // Frees the memory of indexes that are empty.
  void shrink();

  // All segments in the memory of `owner` that are not withdrawn, also those that are closed or invalidated.
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
