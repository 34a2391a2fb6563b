// Lingering: the answered Exchanges of one connection, until they are reported: a little after
// the Reply, since a tap may show something late; or, after a Reply with a Read list (RFC 5666
// §3.5), once the RDMA_DONE for it has come, or has failed to come for long.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstdint>

#include "base/fetch.h"
#include "rpc/answered_chunks.h"
#include "rpc/slots.h"

namespace steertag::rpc {

class Lingering {
 public:
  // Exchanges that linger after their Reply; beyond that the oldest is reported.
  static constexpr size_t kMaxClosing = 1024;
  // Exchanges that wait for an RDMA_DONE, and for how long; beyond that the oldest is reported.
  static constexpr size_t kMaxOwing = 256;
  static constexpr int64_t kDonePatienceNs = 30'000'000'000;
  // No two taps' clocks differ as much: where times fall by more, a clock was set.
  static constexpr int64_t kClockWasSetNs = 10'000'000'000;

  // Adds an Exchange that is to be reported at `due_ns`. Returns the one that has to go for it, or null.
  Slot* close(Slot& slot, int64_t due_ns);
  // Takes out the oldest of those if the clock has gone back since: by it, that one would linger far beyond
  // `due_ns`, the time for one that is answered now. Null: there is none.
  Slot* take_left_ahead(int64_t due_ns);
  // The same as close() for one that owes an RDMA_DONE.
  Slot* owe(Slot& slot, int64_t due_ns);
  // The oldest one of that Requester that owes an RDMA_DONE for that XID, or null.
  Slot* find_owing(Side requester, uint32_t xid) const;
  // The same, and takes it out: the RDMA_DONE has come.
  Slot* confirm(Side requester, uint32_t xid);
  // Takes out the next one that is due, those that owe nothing first; null: there is none.
  Slot* take_due(int64_t now_ns);
  // take_due() comes soon.
  void expect() const {
    if (!closing_.empty()) {
      base::fetch(*closing_.oldest());
    }
  }
  const AnsweredChunks& answered() const { return answered_; }
  // Earliest time at which there is one; INT64_MAX: nothing lingers.
  int64_t due() const { return std::min(due(closing_), due(owing_)); }

 private:
  static int64_t due(const SlotList& list) { return list.empty() ? INT64_MAX : list.oldest()->due_ns; }
  void forgive(Slot& slot);

  SlotList closing_, owing_;
  AnsweredChunks answered_;                            // of all that ever lingered
  absl::flat_hash_map<uint64_t, Slot*> owing_by_xid_;  // the oldest of each rpc_key()
};

}  // namespace steertag::rpc
