#include "track/roce_table.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "rdma/roce/psn.h"
#include "track/roce_link.h"

namespace steertag::track {

namespace roce = rdma::roce;

namespace {

// Packets that still come for a connection which has ended; after this many
// its QPs are in use again, and the setup of that is not in the capture.
constexpr uint32_t kLateEnough = 64;

// PSNs from where a sender stood at the end of a connection: what is further away belongs to another one.
constexpr int32_t kLateDistance = 1 << 16;

}  // namespace

bool RoceTable::Link::late(Side from, const roce::Packet& packet) const {
  if (packet.opcode == roce::Opcode::cnp) {
    return true;  // has no PSN
  }
  const Side sender = roce::is_response(packet.opcode) ? rdma::other(from) : from;
  const std::optional<uint32_t> psn = pair ? pair->sent(sender).sequence.next() : stood[rdma::index(sender)];
  return !psn || std::abs(roce::psn_distance(packet.psn, *psn)) < kLateDistance;
}

RoceTable::RoceTable(Observer& observer, base::Budget& budget, Moment& now)
    : observer_(observer), budget_(budget), now_(now), unpaired_(budget) {}
RoceTable::~RoceTable() = default;

void RoceTable::on_elsewhere(const Arrival& arrival) {
  if (!arrival.copy) {
    end_closing(arrival.at);
  }
}

void RoceTable::on_packet(const Arrival& arrival) {
  const link::Packet& packet = arrival.packet;
  const Stamp& at = arrival.at;
  const uint64_t order = arrival.order;
  roce::decode(arrival.bth, packet.payload, packet.payload_length, packet_);
  packet_.marked = arrival.marked;
  packet_.captured = &packet;
  packet_.icrc = arrival.icrc;
  if (arrival.copy) {
    return on_copy(packet, at);
  }
  end_closing(at);
  const bool cnp = packet_.opcode == roce::Opcode::cnp;
  if (!cnp && roce::shape(packet_.opcode).role == roce::Role::unknown) {
    if (roce::decode(packet_, cm_)) {
      on_cm(packet, cm_, at, order);
    }
    return;
  }
  if (packet_.malformed) {
    return;  // no receiver takes it
  }
  const auto half = [&] { return to_receiver(packet, packet_.dest_qp); };
  Port port = ports_.find(packet.flow, packet_.dest_qp, half);
  if (!port) {
    if (std::optional<Match> stale = unpaired_.outdated(half(), at)) {
      pair(*stale);
      port = ports_.find(half());
    }
  }
  if (port && is_another(*port.link, port.from, at)) {
    leave(*port.link);
    port = {};
  }
  if (port) [[likely]] {
    Link& link = *port.link;
    const Side from = port.from;
    const bool another =
        link.closing ? !link.late(from, packet_) || reopened(link) : begins_again(link, from);
    if (link.pair && !another) {
      if (!link.closing) [[likely]] {
        link.connection.note_frame(at);
      }
      return deliver(link, from, packet_, at);
    }
    if (!link.pair && link.late(from, packet_) && ++link.after_end <= kLateEnough) {
      return;
    }
    end(link, rdma::EndReason::replaced, at);
    close(link);
  }
  if (cnp && !unpaired_.knows(half())) {
    return;  // of a QP that nothing else is known of
  }
  if (std::optional<Match> match = unpaired_.add(half(), transport_of(packet.carrier), packet_, at, order)) {
    pair(*match);
  }
}

// Where a setup was cut, the packet may be the first of another connection of the same QPs: it stands where
// that of before began, or far from where it was.
bool RoceTable::begins_again(const Link& link, Side from) const {
  const auto& ends = link.connection.ends;
  return !cut_setups_.empty() && packet_.opcode != roce::Opcode::cnp &&
         (rdma::roce::begins_again(*link.pair, from, packet_) || !goes_on(*link.pair, from, packet_)) &&
         cut_setups_.since(ends[0].address, ends[1].address, link.number);
}

// Where a setup was cut, nobody sends a request behind a DREQ but the next connection of the same QPs.
bool RoceTable::reopened(const Link& link) const {
  const auto& ends = link.connection.ends;
  return !cut_setups_.empty() && roce::shape(packet_.opcode).role == roce::Role::request &&
         cut_setups_.since(ends[0].address, ends[1].address, link.number);
}

void RoceTable::on_copy(const link::Packet& packet, const Stamp& at) {
  const Half half = to_receiver(packet, packet_.dest_qp);
  const Port port = ports_.find(half);
  if (!port) {
    unpaired_.note_copy(half);
    return;
  }
  Link& link = *port.link;
  ++link.connection.end(port.from).copies;
  if (packet_.marked && link.pair) {  // behind the tap that saw the first one
    note(link, Congestion::Kind::marked, port.from, at);
  }
}

void RoceTable::deliver(Link& link, Side from, const roce::Packet& packet, const Stamp& at) {
  if (packet.marked) [[unlikely]] {
    note(link, Congestion::Kind::marked, from, at);
  }
  if (packet.opcode == roce::Opcode::cnp) [[unlikely]] {
    return note(link, Congestion::Kind::notified, from, at);
  }
  link.pair->on_packet(from, packet, at);
  link.charge();
}

void RoceTable::note(Link& link, Congestion::Kind kind, Side from, const Stamp& at) {
  const Congestion congestion{kind, from, at};
  note_congestion(link.connection, congestion);
  observer_.on_congestion(link.connection, congestion);
}

RoceTable::Link& RoceTable::open(const Half& from_a, const std::optional<Half>& from_b,
                                 rdma::Transport transport, const Stamp& at, uint64_t order) {
  if (links_.size() >= kMaxLinks) {
    make_room(at);
  }
  for (const std::optional<Half>& half : {std::optional<Half>(from_a), from_b}) {
    if (!half) {
      continue;
    }
    unpaired_.forget(*half);
    if (const Port used = ports_.find(*half)) {
      replace(*used.link, at);
    }
  }
  const uint64_t number = ++opened_;
  Link& link = *(links_[number] = std::make_unique<Link>(budget_));
  link.number = number;
  Connection& c = link.connection;
  c.transport = transport;
  c.order = order;
  c.first_frame = c.last_frame = at;
  c.end(Side::a).address = from_a.source;
  c.end(Side::b).address = from_a.destination;
  c.end(Side::b).qpn = from_a.qpn;
  link.halves = {from_a, from_b};
  ports_.set(from_a, {&link, Side::a});
  if (from_b) {
    c.end(Side::a).qpn = from_b->qpn;
    ports_.set(*from_b, {&link, Side::b});
  }
  link.pair = std::make_unique<roce::QpPair>(link);
  link.charge();
  idlest_.trim(links_.size(), [&](uint64_t other) { return idle(other); });
  idlest_.add(number, *idle(number));
  link.listener = &observer_.on_open(c);
  link.pair->report_to(link.listener->arrivals());
  return link;
}

namespace {

// What `from` sends starts elsewhere: the REQ or REP was that of an earlier attempt.
bool starts_elsewhere(const Match& match, Side from, uint32_t psn) {
  const auto first = std::find_if(match.packets.begin(), match.packets.end(), [&](const auto& packet) {
    return packet.first == from && roce::is_request(packet.second.packet.opcode);
  });
  return first != match.packets.end() &&
         std::abs(roce::psn_distance(first->second.packet.psn, psn)) >= kLateDistance;
}

}  // namespace

// Flows that were found to belong together; the packets that waited go first.
void RoceTable::pair(const Match& match) {
  const Waiting& first = match.packets.front().second;
  Link& link = open(match.from_a, match.from_b, match.transport, first.at, first.order);
  link.connection.pairing = match.from_b ? track::Pairing::inferred : track::Pairing::one_sided;
  link.connection.end(Side::a).copies = match.copies[0];
  link.connection.end(Side::b).copies = match.copies[1];
  for (const Side side : {Side::a, Side::b}) {
    const std::optional<Half>& to_side = link.halves[rdma::index(rdma::other(side))];
    const Setup* setup = to_side ? setups_.find(*to_side) : nullptr;
    if (setup != nullptr && !out_of_touch(setup->at, first.at)) {
      const Setup known = *setup;
      setups_.forget(known.half);
      if (known.starting_psn && starts_elsewhere(match, rdma::other(side), *known.starting_psn)) {
        continue;
      }
      apply(link, side, known);
      if (known.order < link.connection.order) {
        link.connection.order = known.order;
        link.connection.first_frame = known.at;
      }
    }
  }
  for (const Side side : {Side::a, Side::b}) {
    if (const uint64_t dropped = match.dropped[rdma::index(side)]) {
      lost_ += dropped;
      link.on_gap(side, first.at);
    }
  }
  for (const auto& [from, packet] : match.packets) {
    link.connection.note_frame(packet.at);
    deliver(link, from, packet.packet, packet.at);
  }
}

// Packets of another capture, which only name the same QPs: the connection was left alone, or has ended, and
// they do not go on where it stopped.
bool RoceTable::is_another(const Link& link, Side from, const Stamp& at) const {
  return out_of_touch(link.connection.last_frame, at) && (!link.pair || !goes_on(*link.pair, from, packet_));
}

// Its QPs are used again. Where that is another capture, its own just ended.
void RoceTable::replace(Link& link, const Stamp& at) {
  if (out_of_touch(link.connection.last_frame, at)) {
    leave(link);
  } else {
    end(link, rdma::EndReason::replaced, at);
    close(link);
  }
}

// No more will come of it.
void RoceTable::leave(Link& link) {
  report_rest(link);
  close(link);
}

// What it still held back, where it has not ended.
void RoceTable::report_rest(Link& link) {
  if (link.closing) {
    end(link, rdma::EndReason::disconnect, *link.closing);
  } else if (link.pair) {
    link.pair->finish(link.connection.last_frame);
    lost_ += link.pair->lost();
    observer_.on_close(link.connection);
  }
}

// The connection is over; its place is kept for packets on their way.
void RoceTable::end(Link& link, rdma::EndReason reason, const Stamp& at) {
  if (!link.pair) {
    return;
  }
  link.pair->finish(link.closing.value_or(at));
  lost_ += link.pair->lost();
  if (!link.connection.ended) {
    link.connection.ended = reason;
  }
  link.listener->on_end(*link.connection.ended, link.closing.value_or(at));
  for (const Side side : {Side::a, Side::b}) {
    link.stood[rdma::index(side)] = link.pair->sent(side).sequence.next();
  }
  link.listener = nullptr;
  link.pair.reset();
  link.account.set(sizeof(Link) + Link::kInTables);
  if (link.closing) {
    closing_.erase(link.among_closing());
  }
  idlest_.add(link.number, *idle(link.number));  // gives way before those that are open
  observer_.on_close(link.connection);
}

// Those whose DREQ was long ago.
void RoceTable::end_closing(const Stamp& at) {
  while (!closing_.empty() && at.time_ns - closing_.begin()->first.since_ns >= kClosingNs) {
    const auto [closing, link] = *closing_.begin();
    now_.turn(Moment::Phase::closing, static_cast<uint64_t>(closing.since_ns), closing.order);
    end(*link, rdma::EndReason::disconnect, at);
    now_.turn(Moment::Phase::packet);
  }
}

void RoceTable::close(Link& link) {
  for (const std::optional<Half>& half : link.halves) {
    if (half) {
      ports_.erase(*half);
    }
  }
  links_.erase(link.number);
}

std::optional<RoceTable::Idle> RoceTable::idle(uint64_t number) const {
  const auto found = links_.find(number);
  if (found == links_.end()) {
    return std::nullopt;
  }
  const Link& link = *found->second;
  return Idle{link.pair != nullptr, link.connection.last_frame.time_ns, number};
}

void RoceTable::make_room(const Stamp& at) {
  const std::optional<uint64_t> idlest = idlest_.take([&](uint64_t number) { return idle(number); });
  give_up(*links_.find(*idlest)->second, GiveUp::any, at);
}

void RoceTable::finish() {
  for (const Match& match : unpaired_.finish()) {
    now_.turn(Moment::Phase::unpaired, 0, match.order);
    pair(match);
    observer_.on_pressure(match.packets.back().second.at);
  }
  std::vector<Link*> left;
  for (const auto& [number, link] : links_) {
    left.push_back(link.get());
  }
  std::sort(left.begin(), left.end(), [](const Link* x, const Link* y) {
    return std::tie(x->connection.order, x->number) < std::tie(y->connection.order, y->number);
  });
  for (Link* link : left) {
    now_.turn(Moment::Phase::roce, 0, link->connection.order);
    report_rest(*link);
  }
  ports_.clear();
  links_.clear();
}

}  // namespace steertag::track
