#include "timing/retries.h"

#include <absl/hash/hash.h>

#include <algorithm>

namespace steertag::timing {

std::optional<Retries::Attempt> Retries::note(uint64_t key, const track::Connection& connection,
                                              const Stamp& call) {
  if (!connection.rpcrdma) {
    note_unclaimed(connection);
  }
  const EarlierCall latest{connection.rpcrdma ? connection.number : track::ConnectionNumber(), call};
  const auto [place, first] =
      attempts_.try_emplace(key, Attempt{latest, connection.order, call.time_ns, 1, false});
  std::optional<Attempt> before;
  if (!first) {
    Attempt& attempt = place->second;
    attempt.moved |= attempt.connection != connection.order;
    before = attempt;
    attempt.latest = latest;
    attempt.connection = connection.order;
    ++attempt.attempts;
  }
  order_.push_back({key, call});
  shorten();
  return before;
}

void Retries::note_unclaimed(const track::Connection& connection) {
  if (unclaimed_.try_emplace(connection.order).second) {
    unclaimed_order_.push_back(connection.order);
    if (unclaimed_order_.size() > kMostUnclaimed) {
      unclaimed_.erase(unclaimed_order_.front());
      unclaimed_order_.pop_front();
    }
  }
}

void Retries::claim(const track::Connection& connection) {
  if (const auto found = unclaimed_.find(connection.order); found != unclaimed_.end()) {
    found->second = connection.number;
  }
}

track::ConnectionNumber Retries::number(uint64_t connection) const {
  const auto found = unclaimed_.find(connection);
  return found != unclaimed_.end() ? found->second : track::ConnectionNumber();
}

void Retries::shorten() {
  constexpr size_t kSome = 64;
  while (attempts_.size() > kMost) {
    forget(order_[oldest_].key, order_[oldest_].call);
    ++oldest_;
  }
  if (order_.size() > 2 * attempts_.size() + kSome) {
    std::erase_if(order_, [&](const Noted& one) { return find(one.key, one.call) == nullptr; });
    oldest_ = 0;
  }
}

Retries::Attempt* Retries::find(uint64_t key, const Stamp& call) {
  const auto found = attempts_.find(key);
  return found != attempts_.end() && found->second.latest.call == call ? &found->second : nullptr;
}

void Retries::forget(uint64_t key, const Stamp& call) {
  if (find(key, call) != nullptr) {
    attempts_.erase(key);
  }
}

void tie_attempts(Exchange& exchange, const Message& call, Retries& retries) {
  const track::Connection& connection = *exchange.connection;
  Timeline& t = exchange.timeline;
  t.retry_key = absl::HashOf(connection.end(call.from).address,
                             connection.end(rdma::other(call.from)).address, exchange.xid, body_digest(call));
  if (const auto before = retries.note(t.retry_key, connection, call.at)) [[unlikely]] {
    exchange.timing.attempts = before->attempts + 1;
    exchange.timing.retry_of = before->latest;
    t.attempt_before = before->connection;
    t.first_attempt = before->first_ns;
    t.moved = before->moved;
  }
}

void answered_for_certain(Exchange& exchange, Retries& retries) {
  Timeline& t = exchange.timeline;
  if (t.begun && t.reply_accepted && t.retry_key != 0) {
    retries.forget(t.retry_key, *exchange.call);
    t.retry_key = 0;
  }
}

void conclude_attempts(Exchange& exchange, Retries& retries) {
  Timeline& t = exchange.timeline;
  if (!t.begun) {
    return;
  }
  answered_for_certain(exchange, retries);
  std::optional<EarlierCall>& before = exchange.timing.retry_of;
  if (before && before->connection == 0) {
    before->connection = retries.number(t.attempt_before);
  }
  if (before && before->connection == 0) {  // nobody hears of a connection that was never claimed
    before.reset();
    exchange.timing.attempts = 1;
    t.first_attempt.reset();
    t.moved = false;
  }
  if (t.first_attempt && t.reply_accepted) {
    exchange.timing.total_ns = std::max<int64_t>(t.reply_accepted->time_ns - *t.first_attempt, 0);
  }
}

}  // namespace steertag::timing
