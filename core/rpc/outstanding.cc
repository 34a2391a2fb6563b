#include "rpc/outstanding.h"

#include "base/check.h"

namespace steertag::rpc {

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
