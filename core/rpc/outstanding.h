// Outstanding: counts the Calls of each Requester that have no answer, and how many of these
// certainly have none: those opened after the latest gap that may hide a Reply. Flow control is
// judged by these counts.
#pragma once

#include <array>
#include <cstdint>

#include "rpc/slots.h"

namespace steertag::rpc {

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

}  // namespace steertag::rpc
