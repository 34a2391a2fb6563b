#include "flow/retries.h"

#include <absl/hash/hash.h>

#include <algorithm>

namespace steertag::flow {

std::optional<Retries::Attempt> Retries::note(uint64_t key, const EarlierCall& call) {
  const auto [place, first] = attempts_.try_emplace(key, Attempt{call, call.call.time_ns, 1, false});
  std::optional<Attempt> before;
  if (!first) {
    place->second.moved |= place->second.latest.connection != call.connection;
    before = place->second;
    place->second.latest = call;
    ++place->second.attempts;
  }
  order_.push_back({key, call.call});
  shorten();
  return before;
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

void Retries::name(uint64_t key, const EarlierCall& call) {
  if (Attempt* attempt = find(key, call.call)) {
    attempt->latest.connection = call.connection;
  }
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
  if (const auto before = retries.note(t.retry_key, {connection.number, call.at})) [[unlikely]] {
    exchange.timing.attempts = before->attempts + 1;
    exchange.timing.retry_of = before->latest;
    t.first_attempt = before->first_ns;
    t.moved = before->moved;
  }
}

void conclude_attempts(Exchange& exchange, Retries& retries) {
  const Timeline& t = exchange.timeline;
  if (!t.begun) {
    return;
  }
  if (t.reply_accepted) {
    retries.forget(t.retry_key, *exchange.call);
  } else {
    retries.name(t.retry_key, {exchange.connection->number, *exchange.call});
  }
  if (t.first_attempt && t.reply_accepted) {
    exchange.timing.total_ns = std::max<int64_t>(t.reply_accepted->time_ns - *t.first_attempt, 0);
  }
}

}  // namespace steertag::flow
