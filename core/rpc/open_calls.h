// OpenCalls: the RPCs of one connection that wait for their Reply, in both directions: found by
// Requester and XID, ordered by age, and counted for the credits (Outstanding).
//
// XIDs are per Requester: a Call of the backward direction may have one that is open forward.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/fetch.h"
#include "rpc/slots.h"

namespace steertag::rpc {

// Outstanding: counts the Calls of each Requester that have no answer, and how many of these
// certainly have none: those opened after the latest gap that may hide a Reply. Flow control is
// judged by these counts.
class Outstanding {
 public:
  uint32_t open(Side requester) const { return accounts_[rdma::index(requester)].open; }
  uint32_t certain(Side requester) const { return accounts_[rdma::index(requester)].certain; }
  // Whether some of its Calls are not known, since they were given up to make room, or cut by the capture in
  // front of their XID. Then a Reply without a Call may belong to one of them.
  bool forgot(Side requester) const { return accounts_[rdma::index(requester)].forgot; }
  // Those of version two among the open ones.
  uint32_t open_v2(Side requester) const { return accounts_[rdma::index(requester)].open_v2; }

  void enter(Slot& slot);
  void leave(Slot& slot);  // does nothing where it has left
  void note_forgotten(Side requester) { accounts_[rdma::index(requester)].forgot = true; }
  void on_gap(Side from);  // what is missing of `from` may have been Replies

 private:
  struct Account {
    uint32_t open = 0, certain = 0, open_v2 = 0;
    uint32_t gaps = 0;  // that may hide Replies to it
    bool forgot = false;
  };
  std::array<Account, 2> accounts_;  // by Requester
};

class OpenCalls {
 public:
  // Null where none of that Requester has this XID.
  Slot* find(Side requester, uint32_t xid) const;
  const Exchange* exchange(Side requester, uint32_t xid) const {
    const Slot* found = find(requester, xid);
    return found != nullptr ? &found->exchange : nullptr;
  }
  // Precondition: none with its XID is there.
  void add(Slot& slot);
  void remove(Slot& slot);
  // The Requester takes its Calls of version two that were sent before then for lost: they no longer count as
  // outstanding, although a Reply still finds them.
  void give_up_v2(Side requester, int64_t before_ns);
  // Resets the counts. Precondition: all were removed.
  void forget() { outstanding_ = {}; }

  // find() comes soon: prefetches.
  void expect() const {
    by_xid_.prefetch(0);
    if (const Slot* slot = oldest()) {
      base::fetch(*slot);
    }
  }

  Slot* oldest() const { return by_age_.oldest(); }  // null: there is none
  size_t size() const { return by_age_.size(); }
  Outstanding& outstanding() { return outstanding_; }
  const Outstanding& outstanding() const { return outstanding_; }

 private:
  absl::flat_hash_map<uint64_t, Slot*> by_xid_;  // by rpc_key()
  SlotList by_age_;                              // the same Slots
  Outstanding outstanding_;
};

}  // namespace steertag::rpc
