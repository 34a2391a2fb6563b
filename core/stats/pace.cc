#include "stats/pace.h"

#include <algorithm>
#include <utility>

#include "stats/outcome.h"

namespace steertag::stats {

void Pace::Interval::add(const Interval& other) {
  outstanding_ns += other.outstanding_ns;
  at_limit_ns += other.at_limit_ns;
  if (other.granted_min) {
    granted_min = std::min(granted_min.value_or(*other.granted_min), *other.granted_min);
  }
  to_server += other.to_server;
  to_client += other.to_client;
}

void Pace::note(const flow::Exchange& exchange) {
  const int64_t began_ns = began(exchange).time_ns;
  const int64_t unanswered_ns = exchange.timing.unanswered_ns.value_or(0);
  const int64_t ended_ns =
      std::max(exchange.reply ? exchange.reply->time_ns : began_ns + unanswered_ns, began_ns);
  if (!exchange.backward && exchange.call) {
    spread(began_ns, ended_ns, &Interval::outstanding_ns);
    const int64_t limit_ns = exchange.timing.at_credit_limit_ns.value_or(0);
    spread(began_ns - std::max<int64_t>(limit_ns, 0), began_ns, &Interval::at_limit_ns);
  }
  Interval& end = intervals_[ended_ns >> shift_];
  const Carried bytes = lengths(exchange);
  end.to_server += exchange.backward ? bytes.results : bytes.arguments;
  end.to_client += exchange.backward ? bytes.arguments : bytes.results;
  if (!exchange.backward && exchange.reply_message.kept && !exchange.error) {
    const uint32_t granted = exchange.reply_message.header.credit;
    end.granted_min = std::min(end.granted_min.value_or(granted), granted);
  }
  fit();
}

// Adds a stretch of time to the intervals that it touches, which are few.
void Pace::spread(int64_t from_ns, int64_t to_ns, uint64_t Interval::*what) {
  while ((to_ns >> shift_) - (from_ns >> shift_) >= static_cast<int64_t>(kMaxIntervals / 2)) {
    widen();
  }
  for (int64_t at_ns = from_ns; at_ns < to_ns;) {
    const int64_t place = at_ns >> shift_;
    const int64_t end_ns = place == to_ns >> shift_ ? to_ns : (place + 1) << shift_;
    intervals_[place].*what += static_cast<uint64_t>(end_ns - at_ns);
    at_ns = end_ns;
  }
}

void Pace::fit() {
  while (intervals_.size() > kMaxIntervals) {
    widen();
  }
}

void Pace::widen() {
  ++shift_;
  absl::btree_map<int64_t, Interval> wider;
  for (const auto& [place, interval] : intervals_) {
    wider[place >> 1].add(interval);
  }
  intervals_ = std::move(wider);
}

// In a share, a connection's number is at most what it is among all.
void Paces::note(const flow::Exchange& exchange) {
  const uint32_t number = exchange.connection->number;
  if (number != 0 && number <= kMaxConnections) {
    paces_[number].note(exchange);
  }
}

void Paces::take_over(Paces& share, const Renumber& number) {
  for (auto& [theirs, pace] : share.paces_) {
    const uint32_t ours = number(track::ConnectionNumber::provisional(theirs));
    if (ours != 0 && ours <= kMaxConnections) {
      paces_[ours] = std::move(pace);
    }
  }
  share.paces_.clear();
}

}  // namespace steertag::stats
