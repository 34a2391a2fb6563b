#include "attempt/cm_tries.h"

#include <utility>
#include <vector>

#include "link/headers.h"
#include "link/icmp.h"
#include "rdma/roce/packet.h"
#include "rpcrdma/private_data.h"

namespace steertag::attempt {

namespace roce = rdma::roce;
using rdma::Side;

namespace {

// What comes once more sooner than that is a copy of a mirror: a sender waits for seconds.
constexpr int64_t kResent_ns = 100'000'000;

// A REQ that comes again so often behind an MRA: its sender has waited in vain. Once, the MRA may be lost.
constexpr uint32_t kWaitedOut = 2;

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

// The message of the CM in a datagram that is quoted, as far as it was. False where there is none; where the
// quote ends before it is known, true, and `known` is false.
bool read_quoted(const link::IcmpError::Quote& quote, roce::CmMessage& into, bool& known) {
  roce::Packet packet;
  known = roce::decode(quote.data, static_cast<uint32_t>(quote.data.size()), packet) &&
          roce::decode(packet, into) && into.local_comm_id != 0;
  return known || quote.data.size() < roce::Bth::size || packet.dest_qp == roce::kGeneralServicesQp;
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
  const bool damaged = arrival.icrc && arrival.icrc->computed != arrival.icrc->carried;
  if (cm.attribute == roce::CmAttribute::req) {
    return on_request(arrival, cm, damaged);
  }
  const auto found = damaged ? tries_.end() : find(arrival, cm);  // its receiver drops what is damaged
  if (found == tries_.end() || found->second.over || found->second.gave_up) {
    return;
  }
  Follow& follow = found->second;
  const bool by_client =
      found->first == Key{arrival.packet.source, arrival.packet.destination, cm.local_comm_id};
  if (const auto hosts = by_hosts_.find(std::pair(found->first.client, found->first.server));
      hosts != by_hosts_.end()) {
    const bool goes_on = cm.attribute == roce::CmAttribute::rtu || cm.attribute == roce::CmAttribute::dreq;
    hosts->second.heard |= !by_client;
    hosts->second.went_on |= by_client && !follow.replied && goes_on;
  }
  if (follow.ended) {
    return note_again(follow, arrival, cm);
  }
  follow.told.last = arrival.at;
  switch (cm.attribute) {
    case roce::CmAttribute::mra:
      wait(follow, arrival, cm);
      break;
    case roce::CmAttribute::rep:
      follow.receipt.reset();
      follow.again_after_receipt = 0;
      follow.overdue = false;
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
      on_reject(follow, arrival, cm, by_client);
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

// Who waits in vain for an answer says so by a REJ, and so does a client whom a REP reaches too late: nobody
// has rejected anything.
void CmTries::on_reject(Follow& follow, const track::Arrival& arrival, const roce::CmMessage& cm,
                        bool by_client) {
  constexpr uint16_t kTimeout = 4, kUnknownId = 6;
  const bool waited = cm.reject_reason == kTimeout && (by_client || follow.replied);
  const bool late = cm.reject_reason == kUnknownId && by_client && follow.replied;
  if (!follow.confirmed && (waited || late)) {
    follow.gave_up = true;
    return;
  }
  follow.told.private_data = without_zeros(cm.private_data);
  end(follow, follow.confirmed ? Outcome::terminated : Outcome::rejected,
      {.kind = Reason::Kind::cm_reject, .code = cm.reject_reason, .mtu = cm.offered_path_mtu()}, arrival);
}

// The same answer, to a REQ that was sent again.
void CmTries::note_again(Follow& follow, const track::Arrival& arrival, const roce::CmMessage& cm) {
  if (cm.attribute == roce::CmAttribute::rej && follow.told.outcome == Outcome::rejected &&
      follow.told.reason.code == cm.reject_reason && follow.told.by == arrival.packet.source) {
    follow.told.last = arrival.at;
    add_frame(follow.told.frames, arrival.at);
  }
}

// Of one that the snaplen cut in front of its QP, a refusal can be told, and nothing else.
void CmTries::on_request(const track::Arrival& arrival, const roce::CmMessage& cm, bool damaged) {
  if (cm.local_comm_id == 0 || cm.transport_type() != 0) {
    return;  // cut by the snaplen; or no Reliable Connection
  }
  const Key key{arrival.packet.source, arrival.packet.destination, cm.local_comm_id};
  Follow& follow = tries_[key];
  if (follow.number != 0) {
    if (follow.qpn == cm.local_qpn && follow.starting_psn == cm.starting_psn) {
      follow.intact |= !damaged;
      if (!follow.over && !follow.replied && !follow.ended && !follow.gave_up) {
        follow.again_after_receipt += follow.receipt ? 1 : 0;
        follow.told.last = arrival.at;
        add_frame(follow.told.frames, arrival.at);
        note_datagram(follow, arrival.packet);
      }
      return;
    }
    if (damaged) {
      return;
    }
    follow.over |= !follow.intact;  // this is it, as it was sent
    forget(key, follow);
    follow = {};
  }
  follow.number = ++begun_;
  follow.intact = !damaged;
  follow.qpn = cm.local_qpn;
  follow.starting_psn = cm.starting_psn;
  follow.told.connection = connection_of(arrival, cm);
  follow.told.for_nfs = rpcrdma::find_private_data(cm.private_data).present;
  follow.told.first = follow.told.last = arrival.at;
  follow.told.frames = {arrival.at};
  note_datagram(follow, arrival.packet);
  if (cm.local_qpn != 0) {
    by_qpn_[track::Half{key.server, key.client, cm.local_qpn}] = key;
  }
  by_hosts_[std::pair(key.client, key.server)].latest = key;
  by_age_.emplace(follow.number, key);
  make_room();
}

// By the Communication IDs: one is that of the REQ, whichever end has sent this.
CmTries::Tries::iterator CmTries::find(const track::Arrival& arrival, const roce::CmMessage& cm) {
  const base::Address &from = arrival.packet.source, &to = arrival.packet.destination;
  const auto by_server = tries_.find(Key{to, from, cm.remote_comm_id});
  return by_server != tries_.end() ? by_server : tries_.find(Key{from, to, cm.local_comm_id});
}

void CmTries::note_datagram(Follow& follow, const link::Packet& packet) {
  follow.udp_source_port = packet.udp_source_port;
  follow.udp_length = static_cast<uint16_t>(packet.payload_length + link::UdpHeader::size);
  follow.ip_id = packet.routed.id;
}

// IBTA vol. 1, §12.6.6: the service timeout, in the five high bits of its byte, stands for 4.096 us times two
// to the power of it.
void CmTries::wait(Follow& follow, const track::Arrival& arrival, const roce::CmMessage& cm) {
  const uint8_t awaited = follow.replied ? roce::CmMessage::kAboutReply : roce::CmMessage::kAboutRequest;
  if (cm.about() == awaited && !follow.confirmed) {
    follow.overdue |= follow.receipt && arrival.at.time_ns > follow.waits_until_ns;
    follow.receipt = arrival.at;
    follow.receipt_by = arrival.packet.source;
    follow.waits_until_ns = arrival.at.time_ns + (int64_t{4096} << (cm.reason_length >> 3));
  }
}

void CmTries::on_icmp(const link::IcmpError& error, const Stamp& at) {
  bool reply = false;
  Follow* const follow = quoted(error.quote, reply);
  if (follow == nullptr || follow->over || follow->ended || follow->confirmed) {
    return;
  }
  std::optional<Error>& kept = reply ? follow->reply_error : follow->request_error;
  if (!kept) {
    kept = Error{reason_of(error), error.by, at};
  }
}

// The try whose REQ, or REP, is quoted. Where nothing but the UDP header is, that of the latest REQ alone is
// known again.
CmTries::Follow* CmTries::quoted(const link::IcmpError::Quote& quote, bool& reply) {
  roce::CmMessage cm;
  bool known = false;
  if (!read_quoted(quote, cm, known)) {
    return nullptr;
  }
  if (known) {
    reply = cm.attribute == roce::CmAttribute::rep;
    if (!reply && cm.attribute != roce::CmAttribute::req) {
      return nullptr;
    }
    const auto found = tries_.find(reply ? Key{quote.destination, quote.source, cm.remote_comm_id}
                                         : Key{quote.source, quote.destination, cm.local_comm_id});
    if (found == tries_.end()) {
      return nullptr;
    }
    Follow& follow = found->second;
    const bool right = reply ? follow.replied && follow.server_comm_id == cm.local_comm_id
                             : cm.local_qpn == 0 || follow.qpn == cm.local_qpn;
    return right ? &follow : nullptr;
  }
  const auto latest = by_hosts_.find(std::pair(quote.source, quote.destination));
  if (latest == by_hosts_.end()) {
    return nullptr;
  }
  Follow& follow = tries_.find(latest->second.latest)->second;
  const bool same = follow.udp_source_port == quote.source_port && follow.udp_length == quote.udp_length &&
                    follow.ip_id == quote.id;
  return same ? &follow : nullptr;
}

void CmTries::end(Follow& follow, Outcome outcome, const Reason& reason, const track::Arrival& arrival) {
  follow.told.outcome = outcome;
  follow.told.reason = reason;
  follow.told.by = arrival.packet.source;
  follow.told.frames = {arrival.at};
  follow.told.certain = outcome == Outcome::rejected;
  follow.ended = true;
}

void CmTries::conclude(const Key& key, Follow& follow) {
  if (follow.over) {
    return;
  }
  const auto hosts = by_hosts_.find(std::pair(key.client, key.server));
  const bool unheard = hosts != by_hosts_.end() && hosts->second.went_on && !hosts->second.heard;
  if (follow.traffic || (!follow.ended && follow.confirmed)) {
    return;  // it came up, as far as the capture shows
  }
  if (follow.qpn == 0 && !(follow.ended && follow.told.outcome == Outcome::rejected)) {
    return;  // nothing shows whether it did
  }
  follow.over = true;
  if (!follow.ended) {
    const bool refused = follow.replied ? follow.reply_error.has_value() : follow.request_error.has_value();
    if (unheard && !refused && !follow.gave_up) {
      return;  // what the server sends is not in the capture
    }
    const Stamp& last = follow.told.last;
    const int64_t reached_ns = reached_ ? std::max(reached_(last.clock()), last.time_ns) : last.time_ns;
    const bool waited = reached_ns >= follow.waits_until_ns || follow.again_after_receipt >= kWaitedOut ||
                        follow.overdue || follow.gave_up;
    if (follow.receipt && !refused && !waited) {
      return;  // the answer may yet come
    }
    conclude_unanswered(follow);
  }
  failed_(std::move(follow.told));
}

// Nothing but errors of the network, or an MRA, came of its REQ, or of its REP.
void CmTries::conclude_unanswered(Follow& follow) {
  Try& told = follow.told;
  const bool again = told.frames.size() > 1;
  told.outcome = follow.replied ? Outcome::unconfirmed : Outcome::unanswered;
  told.pending = !follow.gave_up && !follow.receipt;
  told.certain = again || follow.gave_up;  // its sender has waited in vain
  if (const std::optional<Error>& error = follow.replied ? follow.reply_error : follow.request_error) {
    told.outcome = follow.replied ? Outcome::unconfirmed : Outcome::refused;
    told.reason = error->reason;
    told.by = error->by;
    told.last = captured_before(told.last, error->at) ? error->at : told.last;
    told.frames = {error->at};
    // The host itself knows what it refuses; what a router says may pass.
    told.certain |= told.by == told.connection.end(follow.replied ? Side::a : Side::b).address;
  } else if (follow.receipt && !follow.replied) {
    told.reason = {.kind = Reason::Kind::receipt};
    told.by = follow.receipt_by;
    told.certain = follow.gave_up || captured_before(*follow.receipt, told.frames.back());
    told.frames = {*follow.receipt};
  } else if (!follow.intact && !follow.replied) {
    told.reason = {.kind = Reason::Kind::damaged};
  }
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
  conclude(key, follow);
  by_age_.erase(follow.number);
  const auto known = by_qpn_.find(track::Half{key.server, key.client, follow.qpn});
  if (known != by_qpn_.end() && known->second == key) {
    by_qpn_.erase(known);
  }
  const auto latest = by_hosts_.find(std::pair(key.client, key.server));
  if (latest != by_hosts_.end() && latest->second.latest == key) {
    by_hosts_.erase(latest);
  }
}

void CmTries::make_room() {
  while (tries_.size() > kMost) {
    const Key key = by_age_.begin()->second;
    forget(key, tries_[key]);
    tries_.erase(key);
  }
}

void CmTries::finish(const Reached& reached) {
  reached_ = reached;
  for (const auto& [number, key] : by_age_) {
    conclude(key, tries_[key]);
  }
  tries_.clear();
  by_qpn_.clear();
  by_hosts_.clear();
  by_age_.clear();
}

}  // namespace steertag::attempt
