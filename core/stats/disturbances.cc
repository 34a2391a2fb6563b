#include "stats/disturbances.h"

namespace steertag::stats {

void Disturbed::add(const Disturbed& other) {
  again[0] += other.again[0];
  again[1] += other.again[1];
  naks += other.naks;
  rnr_naks += other.rnr_naks;
  zero_windows += other.zero_windows;
  ecn_ce += other.ecn_ce;
  cnps += other.cnps;
  pauses += other.pauses;
}

bool Disturbed::any() const {
  return *this != Disturbed();
}

void Disturbances::note(const track::Connection& connection, const flow::Disturbance& disturbance) {
  if (interval_ns_ == 0) {
    return;
  }
  Disturbed& disturbed = open(connection, disturbance.at);
  using Kind = flow::Disturbance::Kind;
  ++(disturbance.kind == Kind::sent_again ? disturbed.again[rdma::index(disturbance.from)]
     : disturbance.kind == Kind::nak      ? disturbed.naks
     : disturbance.kind == Kind::rnr_nak  ? disturbed.rnr_naks
                                          : disturbed.zero_windows);
}

void Disturbances::note(const track::Connection& connection, const track::Congestion& congestion) {
  if (interval_ns_ != 0) {
    Disturbed& disturbed = open(connection, congestion.at);
    ++(congestion.kind == track::Congestion::Kind::marked ? disturbed.ecn_ce : disturbed.cnps);
  }
}

void Disturbances::note_pause(const Stamp& at) {
  if (interval_ns_ == 0) {
    return;
  }
  const auto found = closed_.find({0, start_of(at)});
  if (found != closed_.end()) {
    ++found->second.disturbed.pauses;
  } else if (count_ == kMaxIntervals) {
    ++rest_.pauses;
  } else {
    ++count_;
    keep(0, start_of(at), {.roles_known = true, .disturbed = {.pauses = 1}});
  }
}

// What one connection too many counts is added up as it comes, whatever becomes of the connection.
Disturbed& Disturbances::open(const track::Connection& connection, const Stamp& at) {
  Open& intervals = open_[&connection];
  const int64_t start_ns = start_of(at);
  const auto found = intervals.find(start_ns);
  if (found != intervals.end()) {
    return found->second;
  }
  if (count_ == kMaxIntervals) {
    return rest_;
  }
  ++count_;
  return intervals[start_ns];
}

void Disturbances::close(const track::Connection& connection, Wanted wanted) {
  const auto found = open_.find(&connection);
  if (found == open_.end()) {
    return;
  }
  if (connection.rpcrdma && wanted == Wanted::yes) {
    for (auto& [start_ns, disturbed] : found->second) {
      if (connection.client == rdma::Side::b) {
        std::swap(disturbed.again[0], disturbed.again[1]);
      }
      keep(connection.number, start_ns, {connection.client.has_value(), disturbed});
    }
  } else {
    count_ -= found->second.size();
  }
  open_.erase(found);
}

void Disturbances::keep(track::ConnectionNumber number, int64_t start_ns, const Interval& interval) {
  closed_[{number, start_ns}] = interval;
}

void Disturbances::take_over(const Disturbances& share, const Renumber& number) {
  rest_.add(share.rest_);
  for (const auto& [place, interval] : share.closed_) {
    const track::ConnectionNumber ours = number(place.first);
    const auto found = closed_.find({ours, place.second});
    if (found != closed_.end()) {
      found->second.disturbed.add(interval.disturbed);
    } else if (count_ == kMaxIntervals) {
      rest_.add(interval.disturbed);
    } else {
      ++count_;
      keep(ours, place.second, interval);
    }
  }
}

Disturbed Disturbances::all() const {
  Disturbed sum = rest_;
  for (const auto& [place, interval] : closed_) {
    sum.add(interval.disturbed);
  }
  return sum;
}

}  // namespace steertag::stats
