// How many Calls of each Requester are outstanding, and what ends that besides
// their Replies.
#include "flow/exchange_table.h"

namespace steertag::flow {

void ExchangeTable::on_gap(Side from) {
  ++gaps_;
  Account& account = accounts_[rdma::index(rdma::other(from))];
  account.certain = 0;
  ++account.gaps;
}

void ExchangeTable::close_account(Slot& slot) {
  if (!slot.outstanding) {
    return;
  }
  slot.outstanding = false;
  Account& account = accounts_[rdma::index(slot.exchange.requester)];
  --account.open;
  account.certain -= slot.account_gaps == account.gaps ? 1 : 0;
}

void ExchangeTable::on_unknown_option(const Message& message) {
  const auto& body = message.header->optional;
  if (body.empty() || !body[0].info.empty()) {
    access_.note_cut(message.from);
  }
  const auto found = open_.find(key(rdma::other(message.from), message.header->xid));
  if (message.direction != Direction::reply || found == open_.end()) {
    return;
  }
  // Part of the Reply, or all of it by other means.
  close_account(*slots_[found->second]);
  slots_[found->second]->parts = true;
}

void ExchangeTable::give_up(Side requester, uint32_t version, int64_t before_ns) {
  for (const auto& [id, number] : open_) {
    const Exchange& x = slots_[number]->exchange;
    if (x.requester == requester && x.version == version && x.call->time_ns <= before_ns) {
      close_account(*slots_[number]);
    }
  }
}

}  // namespace steertag::flow
