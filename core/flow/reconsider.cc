// A Reply that is left to be read (RFC 5666 §3.5) looks like a Call of its sender with the same XID: XIDs are
// each Requester's own (RFC 8167 §4.2). Two such messages are followed as the Reply until they show that they
// were the Call: a client's with the XID of an open callback, and a server's with that of an open Call of
// NFSv4.1.

#include "flow/common.h"
#include "flow/direction.h"
#include "flow/exchange_fill.h"
#include "flow/exchanges.h"

namespace steertag::flow {

std::optional<Side> Exchanges::reconsider(const Message& answer) {
  const uint32_t xid = answer.header->xid;
  for (const Side requester : {Side::a, Side::b}) {  // of what was taken for answered
    Slot* slot = departures_.lingering().find_owing(requester, xid);
    if (slot != nullptr && slot->instead != nullptr && !reads_as_reply(slot->exchange).value_or(false) &&
        find_open(requester, xid) == nullptr) {
      reopen(*departures_.lingering().confirm(requester, xid));
      return rdma::other(requester);
    }
  }
  return std::nullopt;
}

// The Call is open since it was sent, and so is what it was taken to answer.
void Exchanges::reopen(Slot& slot) {
  Slot& call = *slot.instead;
  slot.instead = nullptr;
  departures_.times().reopen(slot);
  advertised_.withdraw(slot.advertisement);
  move_results(slot.exchange, call.exchange);
  slot.replied = false;
  for (Slot* one : {&slot, &call}) {
    if (open_.find(one->exchange.requester, one->exchange.xid) != nullptr) {  // sent before
      common_.slots.give_back(one);
      continue;
    }
    open_.add(*one);
    one->cut |= advertised_.advertise(one->advertisement, 0) != Followed::all;
    common_.slots.recharge(*one);
  }
}

}  // namespace steertag::flow
