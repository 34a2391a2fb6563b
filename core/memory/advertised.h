// Advertised: every memory segment that the two ends of a connection have advertised. A segment
// enters with its Call, or with a Reply that has a Read list. It is closed when the Reply or the
// RDMA_DONE comes, or invalidated by a Send With Invalidate, and leaves the SegmentIndex when its
// Exchange is reported: it is withdrawn. An AccessJudge, where there is one, remembers it for a
// while after that. Also kept here: accesses that came before their advertisement (EarlyEffects),
// and whether an end may have advertised memory that could not be read (Unread).
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "flow/exchange.h"
#include "memory/access_judge.h"
#include "memory/early_effects.h"
#include "memory/seats.h"
#include "memory/segment_index.h"
#include "memory/traffic_keeper.h"

namespace steertag::memory {

// Unread: whether an end may have advertised memory that the analyzer does not know of, because a
// message of it was cut by the snaplen or could not be followed for want of room, or because the
// chunk lists of an open Call cannot be decoded. If so, an RDMA operation to unknown memory is no
// proof of a mistake.
class Unread {
 public:
  // A message of `owner` may have advertised more than is known. Counts for the rest of the connection.
  void note_cut(Side owner) { cut_[rdma::index(owner)] = true; }
  // Nobody can decode the chunk lists of the Call, not even its peer. Counts until note_over().
  void note_unreadable(Advertisement& call) {
    call.unreadable = true;
    ++calls_[rdma::index(call.exchange->requester)];
  }
  void note_over(Advertisement& call) {
    if (std::exchange(call.unreadable, false)) {
      --calls_[rdma::index(call.exchange->requester)];
    }
  }
  bool any(Side owner) const { return cut_[rdma::index(owner)] || calls_[rdma::index(owner)] != 0; }

 private:
  std::array<bool, 2> cut_{};
  std::array<uint32_t, 2> calls_{};  // that cannot be decoded and are not over
};

class Advertised {
 public:
  using Node = SegmentIndex::Node;

  // Both must outlive it. `payload_limit`: bytes that are kept of each segment; `reply_limit`: of each of a
  // Reply chunk.
  Advertised(base::Budget& budget, TrafficPool& pool, uint32_t payload_limit, uint32_t reply_limit)
      : traffic_(live_, pool, payload_limit, reply_limit), account_(budget) {}
  // Rules ask for it: null, as at first, where they don't. It outlives what is advertised.
  void judge_by(AccessJudge* judge) { judge_ = judge; }

  // Enters the segments of the Exchange, from number `first` on. Returns `some` where the bounds of the
  // SegmentIndex leave no room for all of them.
  Followed advertise(Advertisement& advertisement, uint32_t first);
  // Closes its segments in the memory of `owner`: the Reply, or the RDMA_DONE, has come.
  void end(Advertisement& advertisement, Side owner);
  void invalidate(Side owner, uint32_t handle, const Stamp& by);  // by Send With Invalidate
  void withdraw(Advertisement& advertisement);                    // its Exchange is reported

  // Frees the memory of indexes that are empty.
  void shrink();

  // All segments in the memory of `owner` that are not withdrawn, also those that are closed or invalidated.
  const SegmentIndex& live(Side owner) const { return live_[rdma::index(owner)]; }
  AccessJudge* judge() const { return judge_; }
  TrafficKeeper& traffic() { return traffic_; }
  EarlyEffects& early() { return early_; }
  Unread& unread() { return unread_; }
  const Seats& seats() const { return seats_; }

 private:
  void place(Advertisement& advertisement, Side owner);
  void mark_shared(const Place& results);
  void measure();

  AccessJudge* judge_ = nullptr;
  std::array<SegmentIndex, 2> live_;  // by owner of the memory
  TrafficKeeper traffic_;
  EarlyEffects early_;
  Unread unread_;
  Seats seats_;          // of those that are not withdrawn
  uint64_t placed_ = 0;  // ordinal of the latest place
  base::Account account_;
  std::array<std::vector<Place>, 2> coming_;  // while an Advertisement is entered
  std::vector<Node> marked_;                  // the same
};

}  // namespace steertag::memory
