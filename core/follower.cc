#include "follower.h"

#include <optional>

#include "link/headers.h"
#include "link/icmp.h"

namespace steertag {

Follower::Follower(steertag::Observer& observer, const flow::Settings& flow,
                   const rdma::iwarp::Options& iwarp)
    : observer_(observer),
      shared_(*this, flow),
      roce_(*this, shared_.rpc.budget, now_),
      iwarp_(*this, iwarp, shared_.rpc.budget, now_),
      attempts_(iwarp.ports) {}

void Follower::follow(const track::Arrival& arrival) {
  begin_frame();
  switch (arrival.packet.carrier) {
    case link::Carrier::none:
      break;
    case link::Carrier::tcp:
      iwarp_.on_packet(arrival);
      break;
    case link::Carrier::icmp:
      on_icmp(arrival);
      break;
    case link::Carrier::pause:
      count_pause(arrival);
      observer_.on(PauseSeen{arrival.packet.pause, arrival.at});
      break;
    default:
      roce_.on_packet(arrival);
      break;
  }
  advance(arrival.at);
}

void Follower::expect(std::span<const track::Arrival* const> coming) {
  if (!coming.empty()) {
    roce_.expect(coming);
    shared_.rpc.agenda.expect(coming.back()->at.time_ns);
  }
}

void Follower::pass(const track::Arrival& arrival) {
  begin_frame();
  switch (arrival.packet.carrier) {
    case link::Carrier::none:
    case link::Carrier::tcp:
    case link::Carrier::icmp:
      break;
    case link::Carrier::pause:
      count_pause(arrival);
      break;
    default:
      roce_.on_elsewhere(arrival);
      break;
  }
  advance(arrival.at);
}

void Follower::on_icmp(const track::Arrival& arrival) {
  const std::optional<link::IcmpError> error = link::icmp_error(arrival.packet);
  if (!error) {
    return;
  }
  if (error->quote.protocol == link::ip_protocol::kTcp) {
    iwarp_.on_icmp(*error, arrival.at);
  } else {
    roce_.on_icmp(*error, arrival.at);
    attempts_.on_icmp(*error, arrival.at);
  }
}

void Follower::finish() {
  now_.frame = Moment::kEnd;
  roce_.finish();
  iwarp_.finish();
  report_attempts();
  now_.turn(Moment::Phase::over);
}

void Follower::report_attempts() {
  for (const attempt::Attempt& attempt :
       attempts_.finish([this](uint32_t clock) { return shared_.rpc.agenda.reached(clock); })) {
    now_.turn(Moment::Phase::attempts, 0, attempt.like.connection.order);
    observer_.on(AttemptSeen{attempt});
  }
}

rdma::Listener& Follower::on_open(track::Connection& connection) {
  auto& following = followed_[&connection];
  following = std::make_unique<Following>(connection, shared_);
  if (const uint64_t before = shared_.rpc.pauses.count() - pauses_since(connection.order); before != 0) {
    pauses_before_[&connection] = before;
  }
  return following->conversation();
}

void Follower::on_close(track::Connection& connection) {
  const auto found = followed_.find(&connection);
  Following& following = *found->second;
  const int64_t last_ns = connection.last_frame.time_ns;
  connection.watched_until_ns =
      connection.ended ? last_ns
                       : std::max(last_ns, shared_.rpc.agenda.reached(connection.last_frame.clock()));
  const auto before = pauses_before_.find(&connection);
  connection.pauses = shared_.rpc.pauses.count() - (before == pauses_before_.end() ? 0 : before->second);
  pauses_before_.erase(&connection);
  following.conversation().finish(rpc::Departures::Ended::capture);
  attempts_.on_over(connection);
  const history::History* history = following.history();
  observer_.on(ConnectionClosed{.connection = connection,
                                .history = history,
                                .ground = history != nullptr ? &history->ground() : nullptr,
                                .transit = following.transit()});
  followed_.erase(found);
}

void Follower::on_give_up(const track::Connection& connection, const Stamp& at) {
  followed_.find(&connection)->second->conversation().note_given_up(at);
}

bool Follower::busy(const track::Connection& connection) const {
  return followed_.find(&connection)->second->conversation().departures().any(rpc::Departures::Early::open);
}

void Follower::on_claimed(track::Connection& connection) {
  ++connections_;
  followed_.find(&connection)->second->on_claimed();
  attempts_.on_came_up(connection);
  observer_.on(ConnectionNamed{connection});
}

void Follower::on_message(const flow::Message& message) {
  ++messages_;
  observer_.on(MessageSeen{message});
}

void Follower::on_exchange(const flow::Exchange& exchange) {
  ++exchanges_;
  observer_.on(ExchangeDone{exchange});
}

void Follower::on_unit(const track::Connection& connection, const rdma::Unit& unit) {
  if (shared_.rpc.settings.for_rewriting) [[unlikely]] {
    observer_.on(UnitSeen{connection, unit});
  }
}

void Follower::count_pause(const track::Arrival& arrival) {
  shared_.rpc.pauses.note(arrival.packet.pause, arrival.at.time_ns);
  if (arrival.packet.pause.stops()) {
    recent_pauses_.add(arrival.order, [](uint64_t) { return false; });
  }
}

// Of the latest, those behind the frame with this ordinal: a connection may be known later than it begins.
uint64_t Follower::pauses_since(uint64_t order) const {
  return recent_pauses_.count([&](uint64_t at) { return at > order; });
}

}  // namespace steertag
