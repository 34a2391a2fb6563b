#include "rpc/open_calls.h"

#include "base/check.h"
#include "rpc/lingering.h"

namespace steertag::rpc {

Slot* OpenCalls::find(Side requester, uint32_t xid) const {
  const auto found = by_xid_.find(rpc_key(requester, xid));
  return found == by_xid_.end() ? nullptr : found->second;
}

void OpenCalls::add(Slot& slot) {
  Slot*& place = by_xid_[rpc_key(slot.exchange.requester, slot.exchange.xid)];
  STEERTAG_CHECK(place == nullptr);
  place = &slot;
  by_age_.add(slot);
  outstanding_.enter(slot);
}

void OpenCalls::remove(Slot& slot) {
  by_xid_.erase(rpc_key(slot.exchange.requester, slot.exchange.xid));
  by_age_.remove(slot);
  outstanding_.leave(slot);
}

void OpenCalls::give_up_v2(Side requester, int64_t before_ns) {
  Slot* next = by_age_.oldest();
  while (next != nullptr && outstanding_.open_v2(requester) != 0 &&
         next->exchange.call->time_ns <= before_ns) {
    if (next->exchange.requester == requester && next->exchange.version == 2) {
      outstanding_.leave(*next);
    }
    next = next->links.newer;
  }
}

void Outstanding::enter(Slot& slot) {
  Account& account = accounts_[rdma::index(slot.exchange.requester)];
  ++account.open;
  ++account.certain;
  account.open_v2 += slot.exchange.version == 2 ? 1 : 0;
  slot.outstanding = true;
  slot.account_gaps = account.gaps;
}

void Outstanding::leave(Slot& slot) {
  if (!slot.outstanding) {
    return;
  }
  slot.outstanding = false;
  Account& account = accounts_[rdma::index(slot.exchange.requester)];
  STEERTAG_CHECK(account.open != 0 && account.certain <= account.open);
  --account.open;
  account.certain -= slot.account_gaps == account.gaps ? 1 : 0;
  account.open_v2 -= slot.exchange.version == 2 ? 1 : 0;
}

void Outstanding::on_gap(Side from) {
  Account& account = accounts_[rdma::index(rdma::other(from))];
  account.certain = 0;
  ++account.gaps;
}

}  // namespace steertag::rpc
