#include "extract/surroundings.h"

#include <algorithm>

#include "link/headers.h"
#include "link/icmp.h"
#include "rdma/iwarp/rdmap.h"
#include "rdma/roce/cm.h"
#include "wire/reader.h"

namespace steertag::extract {

using rdma::Side;

Surroundings::Surroundings(const Chosen& chosen, link::Decoder::Options ports)
    : chosen_(chosen), decoder_(std::move(ports)) {
  for (const auto& [number, connection] : chosen.connections) {
    followed_.push_back({.chosen = &connection});
    for (const Side from : {Side::a, Side::b}) {
      enter(followed_.size() - 1, from);
    }
    hosts_[hosts(connection.facts.ends[0].address, connection.facts.ends[1].address)] |= connection.whole;
  }
}

void Surroundings::enter(size_t place, Side from) {
  const track::Connection& facts = followed_[place].chosen->facts;
  const track::End& sender = facts.end(from);
  const track::End& receiver = facts.end(rdma::other(from));
  Key key{sender.address, receiver.address};
  if (facts.transport == rdma::Transport::iwarp) {
    key.ports = tcp_ports(sender.port.value_or(0), receiver.port.value_or(0));
  } else if (receiver.qpn) {
    key.ports = *receiver.qpn;
  } else {
    return;
  }
  ways_[key].push_back({place, from});
}

// The connection whose time it is: ports and QPs are used again.
const Surroundings::Way* Surroundings::way(const Stamp& at, uint64_t ports) const {
  const auto found = ways_.find(Key{packet_.source, packet_.destination, ports});
  if (found == ways_.end()) {
    return nullptr;
  }
  const auto its_time = [&](const Way& way) {
    const track::Connection& facts = followed_[way.place].chosen->facts;
    return facts.first_frame.time_ns <= at.time_ns && at.time_ns <= facts.last_frame.time_ns;
  };
  const auto way = std::find_if(found->second.begin(), found->second.end(), its_time);
  return way == found->second.end() ? nullptr : &*way;
}

void Surroundings::pass(const Frame& frame) {
  const uint64_t fragments = decoder_.counters().fragments;
  decoder_.decode(frame, packet_);
  const Level level = level_of(frame);
  if (decoder_.assembled()) {  // it took them all
    for (const Stamp& fragment : fragments_) {
      levels_.lower(fragment, level);
    }
    fragments_.clear();
  } else if (decoder_.counters().fragments != fragments) {
    if (fragments_.size() == kMostFragments) {
      fragments_.erase(fragments_.begin());
    }
    fragments_.push_back(frame.at);
  }
  if (level != kAll) {
    levels_.lower(frame.at, level);
  }
}

Level Surroundings::level_of(const Frame& frame) {
  const Level own =
      chosen_.frames.has(frame.at) || chosen_.setups.has(frame.at) || of_attempt(frame.at.time_ns) ? kItself
                                                                                                   : kAll;
  uint64_t ports = 0;
  roce_ = {};
  if (packet_.carrier == link::Carrier::icmp) {
    return std::min(own, of_error());
  }
  if (packet_.carrier == link::Carrier::tcp) {
    ports = tcp_ports(packet_.tcp.source_port, packet_.tcp.destination_port);
  } else if (packet_.carrier == link::Carrier::none || packet_.carrier == link::Carrier::pause ||
             !rdma::roce::decode(packet_.payload, packet_.payload_length, roce_)) {
    return own;
  } else if (roce_.dest_qp == rdma::roce::kGeneralServicesQp) {
    return std::min(own, of_management(frame));
  } else {
    ports = roce_.dest_qp;
  }
  if (const Way* const found = way(frame.at, ports)) {
    return std::min(own, of_connection(frame.at, *found));
  }
  return std::min(own, hosts_.contains(hosts(packet_.source, packet_.destination)) ? kHosts : kAll);
}

// Whether the packet belongs to the setup of what was attempted.
bool Surroundings::of_attempt(int64_t time_ns) const {
  const auto asked = [&](const ChosenAttempt& attempt) {
    return attempt.begin_ns <= time_ns && time_ns <= attempt.end_ns &&
           hosts(packet_.source, packet_.destination) == hosts(attempt.client, attempt.server);
  };
  const auto belongs = [&](const ChosenAttempt& attempt) {
    if (!asked(attempt)) {
      return false;
    }
    const std::optional<link::IcmpError> error = link::icmp_error(packet_);
    const bool tcp =
        error ? error->quote.protocol == link::ip_protocol::kTcp : packet_.carrier == link::Carrier::tcp;
    if (tcp != attempt.port.has_value()) {
      return false;
    }
    const auto [source, destination] =
        error ? std::pair(error->quote.source_port, error->quote.destination_port)
              : std::pair(packet_.tcp.source_port, packet_.tcp.destination_port);
    rdma::roce::Bth bth;
    return tcp ? source == attempt.port || destination == attempt.port
               : error || (rdma::roce::read_bth(packet_.payload, packet_.payload_length, bth) &&
                           bth.dest_qp == rdma::roce::kGeneralServicesQp);
  };
  return packet_.carrier != link::Carrier::none && packet_.carrier != link::Carrier::pause &&
         std::any_of(chosen_.attempts.begin(), chosen_.attempts.end(), belongs);
}

// An ICMP error goes with the connection that it is about, as far as the quote shows which.
Level Surroundings::of_error() const {
  const std::optional<link::IcmpError> error = link::icmp_error(packet_);
  const auto between = hosts_.find(hosts(packet_.source, packet_.destination));
  if (!error || between == hosts_.end()) {
    return kAll;
  }
  const link::IcmpError::Quote& quote = error->quote;
  rdma::roce::Bth bth;
  uint64_t ports = 0;
  if (quote.protocol == link::ip_protocol::kTcp) {
    ports = tcp_ports(quote.source_port, quote.destination_port);
  } else if (rdma::roce::read_bth(quote.data, static_cast<uint32_t>(quote.data.size()), bth)) {
    ports = bth.dest_qp;
  }
  const bool setup = quote.protocol != link::ip_protocol::kTcp &&
                     (quote.data.size() < rdma::roce::Bth::size || ports == rdma::roce::kGeneralServicesQp);
  const bool own = ways_.contains(Key{packet_.source, packet_.destination, ports}) || setup;
  return !own ? kHosts : between->second ? kItself : kConnection;
}

// What sets up and ends connections.
Level Surroundings::of_management(const Frame& frame) {
  rdma::roce::CmMessage message;
  const auto found = hosts_.find(hosts(packet_.source, packet_.destination));
  if (found == hosts_.end()) {
    return kAll;
  }
  if (!rdma::roce::decode(roce_, message)) {
    return kHosts;
  }
  if (chosen_.setups.has(frame.at) && comm_ids_.size() < kMostCommIds) {
    comm_ids_.insert({packet_.source, message.local_comm_id});
  }
  const bool known = comm_ids_.contains({packet_.source, message.local_comm_id}) ||
                     comm_ids_.contains({packet_.destination, message.remote_comm_id});
  const bool own = found->second || message.attribute == rdma::roce::CmAttribute::rtu;
  return !known ? kHosts : own ? kItself : kConnection;
}

Level Surroundings::of_connection(const Stamp& at, const Way& way) {
  Followed& followed = followed_[way.place];
  const bool chosen = chosen_.frames.has(at);
  if (chosen && !chosen_.setups.has(at)) {
    ++followed.passed;
  }
  const bool acknowledged = acknowledges(followed, way.from);
  if (acknowledged) {
    followed.waiting[rdma::index(rdma::other(way.from))].reset();
  }
  if (chosen || followed.chosen->whole || sets_up(followed, at) || reads(followed, at.time_ns)) {
    await(followed, way.from);  // also where it acknowledges something itself
    return itself(followed);
  }
  return acknowledged ? itself(followed) : beside(followed, at);
}

// What is before it is near it.
Level Surroundings::itself(Followed& followed) {
  for (const Stamp& at : followed.before) {
    levels_.lower(at, kNear);
  }
  followed.before.clear();
  followed.behind = kNearBehind;
  return kItself;
}

Level Surroundings::beside(Followed& followed, const Stamp& at) {
  if (followed.behind != 0) {
    --followed.behind;
    return kNear;
  }
  if (decoder_.assembled()) {
    followed.before.insert(followed.before.end(), fragments_.begin(), fragments_.end());
  }
  followed.before.push_back(at);
  while (followed.before.size() > kNearBefore) {
    followed.before.pop_front();
  }
  const bool more = followed.passed < followed.chosen->frames;
  return followed.passed != 0 && more ? kBetween : more ? kBefore : kConnection;
}

// Whether the packet at hand, which `by` sent, acknowledges what is waited for.
bool Surroundings::acknowledges(Followed& followed, Side by) const {
  const std::optional<uint32_t>& awaited = followed.waiting[rdma::index(rdma::other(by))];
  if (!awaited) {
    return false;
  }
  if (packet_.carrier == link::Carrier::tcp) {
    return packet_.tcp.ack && static_cast<int32_t>(packet_.tcp.acknowledgment - *awaited) >= 0;
  }
  return rdma::roce::is_response(roce_.opcode) && roce_.aeth && roce_.aeth->is_ack() &&
         rdma::roce::psn_distance(roce_.psn, *awaited) >= 0;
}

// Whatever the packet at hand carries is to be acknowledged.
void Surroundings::await(Followed& followed, Side from) const {
  std::optional<uint32_t>& awaited = followed.waiting[rdma::index(from)];
  if (packet_.carrier == link::Carrier::tcp) {
    if (packet_.payload_length != 0) {
      awaited = packet_.tcp.sequence + packet_.payload_length;
    }
  } else if (rdma::roce::is_request(roce_.opcode)) {
    awaited = roce_.psn;
  }
}

// The handle that an RDMA Read Request names; unset where the packet at hand is none. iWARP: where its FPDU
// opens the segment.
std::optional<uint32_t> Surroundings::read_from() const {
  if (packet_.carrier != link::Carrier::tcp) {
    const bool request = roce_.opcode == rdma::roce::Opcode::read_request && roce_.reth;
    return request ? std::optional(roce_.reth->r_key) : std::nullopt;
  }
  constexpr size_t kLength = 2;  // of the FPDU, bytes
  const Bytes segment = slice(packet_.payload, kLength);
  wire::Reader reader(segment, static_cast<uint32_t>(segment.size()));
  rdma::iwarp::UntaggedHeader ddp;
  rdma::iwarp::ReadRequestHeader rdmap;
  rdma::iwarp::UntaggedHeader::layout(reader, ddp);
  rdma::iwarp::ReadRequestHeader::layout(reader, rdmap);
  const bool request =
      !reader.stopped() && !ddp.control.tagged() && ddp.control.opcode() == rdma::iwarp::Opcode::read_request;
  return request ? std::optional(rdmap.source_stag) : std::nullopt;
}

// Whether the packet at hand asks for memory of what was chosen.
bool Surroundings::reads(const Followed& followed, int64_t time_ns) const {
  const std::optional<uint32_t> handle = read_from();
  const auto has = [&](const ChosenMemory& memory) {
    return memory.begin_ns <= time_ns && time_ns <= memory.end_ns &&
           std::find(memory.handles.begin(), memory.handles.end(), *handle) != memory.handles.end();
  };
  return handle && std::any_of(followed.chosen->memory.begin(), followed.chosen->memory.end(), has);
}

// Whether it belongs to how a TCP connection begins, up to the MPA Reply.
bool Surroundings::sets_up(const Followed& followed, const Stamp& at) const {
  if (packet_.carrier != link::Carrier::tcp) {
    return false;
  }
  const auto before = [&](const track::End& end) {
    return end.setup_seen && at.time_ns <= end.setup_at.time_ns;
  };
  const track::Connection& facts = followed.chosen->facts;
  return packet_.tcp.syn || before(facts.ends[0]) || before(facts.ends[1]);
}

}  // namespace steertag::extract
