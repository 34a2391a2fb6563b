// A client's Reply to a callback, left to be read (RFC 5666 §3.5), looks like a Call of the client with the
// same XID: XIDs are each Requester's own (RFC 8167 §4.2). It is followed as the Reply until it shows that it
// was the Call.

#include "flow/common.h"
#include "flow/direction.h"
#include "flow/exchange_fill.h"
#include "flow/exchanges.h"

namespace steertag::flow {

// The client is known: left_by_client().
bool Exchanges::reconsider(const Message& answer) {
  const Side server = rdma::other(*connection_.client);
  const uint32_t xid = answer.header->xid;
  Slot* slot = departures_.lingering().find_owing(server, xid);
  if (slot == nullptr || slot->instead == nullptr || reads_as_reply(slot->exchange).value_or(false) ||
      find_open(server, xid) != nullptr) {
    return false;
  }
  reopen(*departures_.lingering().confirm(server, xid));
  return true;
}

// The Call is open since it was sent, and so is the callback.
void Exchanges::reopen(Slot& slot) {
  Slot& call = *slot.instead;
  slot.instead = nullptr;
  departures_.times().reopen(slot);
  advertised_.withdraw(slot.advertisement);
  move_results(slot.exchange, call.exchange);
  slot.replied = false;
  for (Slot* one : {&slot, &call}) {
    if (open_.find(one->exchange.requester, one->exchange.xid) != nullptr) {  // the client had sent it before
      common_.slots.give_back(one);
      continue;
    }
    open_.add(*one);
    one->cut |= advertised_.advertise(one->advertisement, 0) != Followed::all;
    common_.slots.recharge(*one);
  }
}

}  // namespace steertag::flow
