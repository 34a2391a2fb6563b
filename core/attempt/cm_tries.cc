#include "attempt/cm_tries.h"

#include <utility>
#include <vector>

#include "rpcrdma/private_data.h"

namespace steertag::attempt {

namespace roce = rdma::roce;
using rdma::Side;

namespace {

// What comes once more sooner than that is a copy of a mirror: a sender waits for seconds.
constexpr int64_t kResent_ns = 100'000'000;

void add_frame(std::vector<Stamp>& frames, const Stamp& at) {
  const bool again = !frames.empty() && at.time_ns - frames.back().time_ns < kResent_ns;
  if (!again && frames.size() < kMostFrames) {
    frames.push_back(at);
  }
}

std::vector<uint8_t> without_zeros(Bytes data) {
  std::vector<uint8_t> kept(data.begin(), data.end());
  while (!kept.empty() && kept.back() == 0) {
    kept.pop_back();
  }
  return kept;
}

// The ends, as a connection of this try would have them.
track::Connection connection_of(const track::Arrival& arrival, const roce::CmMessage& request) {
  track::Connection connection;
  connection.transport = track::transport_of(arrival.packet.carrier);
  connection.client = Side::a;
  connection.order = arrival.order;
  connection.first_frame = connection.last_frame = arrival.at;
  track::End &client = connection.end(Side::a), &server = connection.end(Side::b);
  client.address = arrival.packet.source;
  client.qpn = request.local_qpn;
  server.address = arrival.packet.destination;
  if (request.is_ip_service()) {
    server.port = request.port();
  }
  return connection;
}

}  // namespace

void CmTries::on_message(const track::Arrival& arrival, const roce::CmMessage& cm) {
  if (arrival.icrc && arrival.icrc->computed != arrival.icrc->carried) {
    return;  // its receiver has dropped it
  }
  if (cm.attribute == roce::CmAttribute::req) {
    return on_request(arrival, cm);
  }
  const auto found = find(arrival, cm);
  if (found == tries_.end() || found->second.over || found->second.ended) {
    return;
  }
  Follow& follow = found->second;
  follow.told.last = arrival.at;
  switch (cm.attribute) {
    case roce::CmAttribute::rep:
      follow.server_comm_id = cm.local_comm_id;
      follow.told.connection.end(Side::b).qpn = cm.local_qpn;
      if (!std::exchange(follow.replied, true)) {
        follow.told.frames.clear();
      }
      add_frame(follow.told.frames, arrival.at);
      break;
    case roce::CmAttribute::rtu:
      follow.confirmed = true;
      break;
    case roce::CmAttribute::rej:
      follow.told.private_data = without_zeros(cm.private_data);
      end(follow, follow.confirmed ? Outcome::terminated : Outcome::rejected,
          {.kind = Reason::Kind::cm_reject, .code = cm.reject_reason}, arrival);
      break;
    case roce::CmAttribute::dreq:
      if (!follow.replied) {  // one direction alone was captured
        follow.over = true;
        break;
      }
      end(follow, Outcome::terminated, {.kind = Reason::Kind::disconnect}, arrival);
      break;
    default:
      break;
  }
}

void CmTries::on_request(const track::Arrival& arrival, const roce::CmMessage& cm) {
  if (cm.local_qpn == 0 || cm.transport_type() != 0) {
    return;  // cut by the snaplen; or no Reliable Connection
  }
  const Key key{arrival.packet.source, arrival.packet.destination, cm.local_comm_id};
  Follow& follow = tries_[key];
  if (follow.number != 0) {
    if (follow.qpn == cm.local_qpn && follow.starting_psn == cm.starting_psn) {
      if (!follow.over && !follow.replied) {
        follow.told.last = arrival.at;
        add_frame(follow.told.frames, arrival.at);
      }
      return;
    }
    forget(key, follow);
    follow = {};
  }
  follow.number = ++begun_;
  follow.qpn = cm.local_qpn;
  follow.starting_psn = cm.starting_psn;
  follow.told.connection = connection_of(arrival, cm);
  follow.told.for_nfs = rpcrdma::find_private_data(cm.private_data).present;
  follow.told.first = follow.told.last = arrival.at;
  follow.told.frames = {arrival.at};
  by_qpn_[track::Half{key.server, key.client, cm.local_qpn}] = key;
  by_age_.emplace(follow.number, key);
  make_room();
}

// By the Communication IDs: one is that of the REQ, whichever end has sent this.
CmTries::Tries::iterator CmTries::find(const track::Arrival& arrival, const roce::CmMessage& cm) {
  const base::Address &from = arrival.packet.source, &to = arrival.packet.destination;
  const auto by_server = tries_.find(Key{to, from, cm.remote_comm_id});
  return by_server != tries_.end() ? by_server : tries_.find(Key{from, to, cm.local_comm_id});
}

void CmTries::end(Follow& follow, Outcome outcome, const Reason& reason, const track::Arrival& arrival) {
  follow.told.outcome = outcome;
  follow.told.reason = reason;
  follow.told.by = arrival.packet.source;
  follow.told.frames = {arrival.at};
  follow.told.certain = outcome == Outcome::rejected;
  follow.ended = true;
}

void CmTries::conclude(Follow& follow) {
  if (follow.over) {
    return;
  }
  if (follow.traffic || (!follow.ended && follow.confirmed)) {
    return;  // it came up, as far as the capture shows
  }
  if (!follow.ended) {
    follow.told.outcome = follow.replied ? Outcome::unconfirmed : Outcome::unanswered;
    follow.told.certain = follow.told.frames.size() > 1;  // its sender has waited in vain
  }
  follow.over = true;
  failed_(std::move(follow.told));
}

CmTries::Follow* CmTries::of(const track::Connection& connection) {
  if (!connection.client || !connection.end(*connection.client).qpn) {
    return nullptr;
  }
  const track::End& client = connection.end(*connection.client);
  const base::Address& server = connection.end(rdma::other(*connection.client)).address;
  const auto known = by_qpn_.find(track::Half{server, client.address, *client.qpn});
  const auto found = known == by_qpn_.end() ? tries_.end() : tries_.find(known->second);
  if (found == tries_.end() || found->second.over) {
    return nullptr;
  }
  // An earlier connection may have had the same QPs.
  return connection.order < found->second.told.connection.order ? nullptr : &found->second;
}

void CmTries::on_came_up(const track::Connection& connection) {
  if (Follow* const follow = of(connection)) {
    follow->over = true;
  }
}

void CmTries::on_over(const track::Connection& connection) {
  if (Follow* const follow = of(connection)) {
    follow->traffic |= connection.carried;
  }
}

void CmTries::forget(const Key& key, Follow& follow) {
  conclude(follow);
  by_age_.erase(follow.number);
  const auto known = by_qpn_.find(track::Half{key.server, key.client, follow.qpn});
  if (known != by_qpn_.end() && known->second == key) {
    by_qpn_.erase(known);
  }
}

void CmTries::make_room() {
  while (tries_.size() > kMost) {
    const Key key = by_age_.begin()->second;
    forget(key, tries_[key]);
    tries_.erase(key);
  }
}

void CmTries::finish() {
  for (const auto& [number, key] : by_age_) {
    conclude(tries_[key]);
  }
  tries_.clear();
  by_qpn_.clear();
  by_age_.clear();
}

}  // namespace steertag::attempt
