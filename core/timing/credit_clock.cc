#include "timing/credit_clock.h"

namespace steertag::timing {

void CreditLimits::note(const Message& message) {
  if (message.direction == Direction::unknown || !conveys_rpc(message) || message.header->is_error()) {
    return;
  }
  const bool reply = message.direction == Direction::reply;
  const Side requester = reply ? rdma::other(message.from) : message.from;
  CreditClock& clock = clocks_[rdma::index(requester)];
  if (reply && message.decoded.has(rpcrdma::FixedField::credit)) {
    clock.grant(message.header->credit);
  }
  const rpc::Outstanding& calls = state_.open.outstanding();
  const bool certain = calls.open(requester) == calls.certain(requester);
  clock.outstanding(certain ? std::optional(calls.open(requester)) : std::nullopt, message.at.time_ns);
  state_.connection.end(requester).credits.at_limit_ns = clock.total_ns();
}

}  // namespace steertag::timing
