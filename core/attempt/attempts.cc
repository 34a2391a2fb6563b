#include "attempt/attempts.h"

#include <algorithm>
#include <utility>

#include "attempt/tcp_try.h"

namespace steertag::attempt {

using rdma::Side;

Attempts::Attempts(std::vector<uint16_t> ports)
    : ports_(std::move(ports)), cm_([this](Try&& failed) { add(std::move(failed)); }) {}

bool Attempts::known(uint16_t port) const {
  return std::find(ports_.begin(), ports_.end(), port) != ports_.end();
}

Attempts::Place Attempts::place_of(const track::Connection& connection) {
  const Side client = connection.client.value_or(Side::a);
  const track::End& server = connection.end(rdma::other(client));
  return {connection.end(client).address, server.address, server.port.value_or(0)};
}

void Attempts::on_tcp(const track::TcpSetup& setup, const track::Connection& connection) {
  if (setup.plain_rpc) {
    note_success(connection, *setup.plain_rpc);
  } else if (std::optional<Try> failed = failed_try(setup, connection)) {
    add(std::move(*failed));
  }
}

void Attempts::on_came_up(const track::Connection& connection) {
  cm_.on_came_up(connection);
  note_place(place_of(connection));
  note_success(connection, connection.first_frame);
}

void Attempts::note_success(const track::Connection& connection, const Stamp& at) {
  const auto [client, server, port] = place_of(connection);
  const std::pair pair(client, server);
  if (successes_.size() >= kMostPairs && !successes_.contains(pair)) {
    return;
  }
  std::vector<Success>& latest = successes_[pair];
  if (latest.size() == kMostSuccesses) {
    latest.erase(latest.begin());
  }
  latest.push_back({at, connection.number});
}

void Attempts::note_place(const Place& place) {
  if (places_.size() < kMostPairs) {
    places_.insert(place);
  }
}

void Attempts::add(Try&& failed) {
  const auto [client, server, port] = place_of(failed.connection);
  if (failed.for_nfs || known(port)) {
    note_place({client, server, port});
  }
  const bool network = failed.reason.kind == Reason::Kind::icmp;  // routers may say the same
  const Group group{failed.connection.transport,          client, server, port, failed.outcome, failed.reason,
                    network ? failed.by : base::Address()};
  if (groups_.size() >= kMostGroups && !groups_.contains(group)) {
    return;
  }
  Attempt& attempt = groups_[group];
  if (attempt.tries == 0 || captured_before(attempt.latest, failed.first)) {
    attempt.latest = failed.first;
  }
  if (attempt.tries++ == 0) {
    attempt.like = std::move(failed);
    return;
  }
  Try& like = attempt.like;
  if (captured_before(failed.first, like.first)) {
    std::swap(like.first, failed.first);
    std::swap(like.connection, failed.connection);
  }
  like.last = captured_before(like.last, failed.last) ? failed.last : like.last;
  like.certain |= failed.certain;
  like.frames.insert(like.frames.end(), failed.frames.begin(), failed.frames.end());
  sort_by_capture(like.frames);
  like.frames.resize(std::min(like.frames.size(), kMostFrames));
}

// What the client did next at that server, once it had begun the last of them: an answer may come very late.
void Attempts::settle(Attempt& attempt) const {
  const auto [client, server, port] = place_of(attempt.like.connection);
  const auto found = successes_.find({client, server});
  if (found == successes_.end()) {
    return;
  }
  const Success* next = nullptr;
  for (const Success& one : found->second) {
    if (captured_before(attempt.latest, one.at) && (next == nullptr || captured_before(one.at, next->at))) {
      next = &one;
    }
  }
  if (next != nullptr) {
    attempt.then = next->conn != 0 ? Then::connection : Then::tcp;
    attempt.conn = next->conn;
  }
}

// The capture ended before an answer was due, and this client has reached that server before.
bool Attempts::may_yet_come(const Attempt& attempt, const CmTries::Reached& reached) {
  const Try& like = attempt.like;
  return reached && attempt.tries == 1 && like.pending && !like.certain &&
         reached(like.last.clock()) - like.last.time_ns < kAnswerNs;
}

std::vector<Attempt> Attempts::finish(const CmTries::Reached& reached) {
  cm_.finish(reached);
  std::vector<Attempt> all;
  for (auto& [group, attempt] : groups_) {
    const bool cut_off = successes_.contains({group.client, group.server}) && may_yet_come(attempt, reached);
    if (places_.contains(Place{group.client, group.server, group.port}) && !cut_off) {
      settle(attempt);
      all.push_back(std::move(attempt));
    }
  }
  groups_.clear();
  std::sort(all.begin(), all.end(), [](const Attempt& x, const Attempt& y) {
    return x.like.connection.order < y.like.connection.order;
  });
  return all;
}

}  // namespace steertag::attempt
