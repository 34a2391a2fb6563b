#include "track/roce_table.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "rdma/roce/psn.h"

namespace steertag::track {

namespace roce = rdma::roce;

RoceTable::RoceTable(Observer& observer, base::Budget& budget, Moment& now)
    : observer_(observer), budget_(budget), now_(now), links_(budget), unpaired_(budget) {}
RoceTable::~RoceTable() = default;

void RoceTable::on_elsewhere(const Arrival& arrival) {
  if (!arrival.copy) {
    end_closing(arrival.at);
  }
}

void RoceTable::on_packet(const Arrival& arrival) {
  const link::Packet& packet = arrival.packet;
  const Stamp& at = arrival.at;
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
      on_cm(arrival);
    }
    return;
  }
  if (packet_.malformed) {
    return;  // no receiver takes it
  }
  const auto half = [&] { return to_receiver(packet, packet_.dest_qp); };
  RoceLinks::Port port = links_.find(packet.flow, packet_.dest_qp, half);
  if (!port) {
    if (std::optional<Match> stale = unpaired_.outdated(half(), at)) {
      pair(*stale);
      port = links_.find(half());
    }
  }
  if (port && port.link->left_for_another(port.from, packet_, at)) {
    leave(*port.link);
    port = {};
  }
  if (port) [[likely]] {
    RoceLink& link = *port.link;
    const Side from = port.from;
    const bool another =
        link.closing ? !link.late(from, packet_) || reopened(link) : begins_again(link, from);
    if (link.pair && !another) {
      if (!link.closing) [[likely]] {
        link.connection.note_frame(at);
      }
      return deliver(link, from, packet_, at);
    }
    if (!link.pair && link.late(from, packet_) && ++link.after_end <= RoceLink::kLateEnough) {
      return;
    }
    end(link, rdma::EndReason::replaced, at);
    links_.remove(link);
  }
  if (cnp && !unpaired_.knows(half())) {
    return;  // of a QP that nothing else is known of
  }
  if (std::optional<Match> match =
          unpaired_.add(half(), transport_of(packet.carrier), packet_, at, arrival.order)) {
    pair(*match);
  }
}

// Where a setup was cut, the packet may be the first of another connection of the same QPs: it stands where
// that of before began, or far from where it was.
bool RoceTable::begins_again(const RoceLink& link, Side from) const {
  const auto& ends = link.connection.ends;
  return !cut_setups_.empty() && packet_.opcode != roce::Opcode::cnp &&
         (rdma::roce::begins_again(*link.pair, from, packet_) || !goes_on(*link.pair, from, packet_)) &&
         cut_setups_.since(ends[0].address, ends[1].address, link.number);
}

// Where a setup was cut, nobody sends a request behind a DREQ but the next connection of the same QPs.
bool RoceTable::reopened(const RoceLink& link) const {
  const auto& ends = link.connection.ends;
  return !cut_setups_.empty() && roce::shape(packet_.opcode).role == roce::Role::request &&
         cut_setups_.since(ends[0].address, ends[1].address, link.number);
}

void RoceTable::on_copy(const link::Packet& packet, const Stamp& at) {
  const Half half = to_receiver(packet, packet_.dest_qp);
  const RoceLinks::Port port = links_.find(half);
  if (!port) {
    unpaired_.note_copy(half);
    return;
  }
  RoceLink& link = *port.link;
  ++link.connection.end(port.from).copies;
  if (packet_.marked && link.pair) {  // behind the tap that saw the first one
    note(link, Congestion::Kind::marked, port.from, at);
  }
}

void RoceTable::deliver(RoceLink& link, Side from, const roce::Packet& packet, const Stamp& at) {
  if (packet.captured != nullptr && packet.captured->carrier != link::Carrier::infiniband) {
    link.connection.end(from).traffic_class.note(*packet.captured);
    link.connection.end(from).link_changes.note(packet.captured->station, at);
    link.udp_ports[rdma::index(from)] = packet.captured->udp_source_port;
  }
  if (packet.marked) [[unlikely]] {
    note(link, Congestion::Kind::marked, from, at);
  }
  if (packet.opcode == roce::Opcode::cnp) [[unlikely]] {
    return note(link, Congestion::Kind::notified, from, at);
  }
  link.pair->on_packet(from, packet, at);
  link.charge();
}

void RoceTable::note(RoceLink& link, Congestion::Kind kind, Side from, const Stamp& at) {
  const Congestion congestion{kind, from, at};
  note_congestion(link.connection, congestion);
  observer_.on_congestion(link.connection, congestion);
}

RoceLink& RoceTable::open(const Half& from_a, const std::optional<Half>& from_b, rdma::Transport transport,
                          const Stamp& at, uint64_t order) {
  if (links_.size() >= kMaxLinks) {
    give_up(links_.idlest(), GiveUp::any, at);
  }
  for (const std::optional<Half>& half : {std::optional<Half>(from_a), from_b}) {
    if (!half) {
      continue;
    }
    unpaired_.forget(*half);
    if (const RoceLinks::Port used = links_.find(*half)) {
      replace(*used.link, at);
    }
  }
  RoceLink& link = links_.add(from_a, from_b);
  Connection& c = link.connection;
  c.transport = transport;
  c.order = order;
  c.first_frame = c.last_frame = at;
  link.pair = std::make_unique<roce::QpPair>(link);
  link.charge();
  links_.rank(link);
  link.listener = &observer_.on_open(c);
  link.pair->report_to(link.listener->arrivals());
  return link;
}

// Flows that were found to belong together; the packets that waited go first.
void RoceTable::pair(const Match& match) {
  const Waiting& first = match.packets.front().second;
  RoceLink& link = open(match.from_a, match.from_b, match.transport, first.at, first.order);
  link.connection.pairing = match.from_b ? track::Pairing::inferred : track::Pairing::one_sided;
  link.connection.end(Side::a).copies = match.copies[0];
  link.connection.end(Side::b).copies = match.copies[1];
  for (const Side side : {Side::a, Side::b}) {
    const std::optional<Half>& to_side = link.halves[rdma::index(rdma::other(side))];
    const Setup* setup = to_side ? setups_.find(*to_side) : nullptr;
    if (setup != nullptr && !out_of_touch(setup->at, first.at)) {
      const Setup known = *setup;
      setups_.forget(known.half);
      if (known.starting_psn && match.starts_elsewhere(rdma::other(side), *known.starting_psn)) {
        continue;
      }
      link.begin_with(side, known);
    }
  }
  if (const auto known = match.from_b ? std::nullopt : setups_.take_half(match)) {
    link.begin_with(Side::a, *known);
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

// Its QPs are used again. Where that is another capture, its own just ended.
void RoceTable::replace(RoceLink& link, const Stamp& at) {
  if (out_of_touch(link.connection.last_frame, at)) {
    leave(link);
  } else {
    end(link, rdma::EndReason::replaced, at);
    links_.remove(link);
  }
}

// No more will come of it.
void RoceTable::leave(RoceLink& link) {
  report_rest(link);
  links_.remove(link);
}

// What it still held back, where it has not ended.
void RoceTable::report_rest(RoceLink& link) {
  if (link.closing || link.rejected()) {
    end(link, rdma::EndReason::disconnect, link.connection.last_frame);
  } else if (link.pair) {
    link.pair->finish(link.connection.last_frame);
    lost_ += link.pair->lost();
    observer_.on_close(link.connection);
  }
}

// The connection is over; its place is kept for packets on their way.
void RoceTable::end(RoceLink& link, rdma::EndReason reason, const Stamp& at) {
  if (!link.pair) {
    return;
  }
  lost_ += link.end(reason, at);
  if (link.closing) {
    closing_.remove(link);
  }
  links_.rank(link);  // gives way before those that are open
  observer_.on_close(link.connection);
}

// Those whose DREQ was long ago.
void RoceTable::end_closing(const Stamp& at) {
  while (RoceLink* const link = closing_.due(at.time_ns)) {
    now_.turn(Moment::Phase::closing, static_cast<uint64_t>(link->closing->time_ns), link->connection.order);
    end(*link, rdma::EndReason::disconnect, at);
    now_.turn(Moment::Phase::packet);
  }
}

// --- the communication manager: connections that are set up and torn down in the capture ---

void RoceTable::on_cm(const Arrival& arrival) {
  const link::Packet& packet = arrival.packet;
  const roce::CmMessage& cm = cm_;
  observer_.on_cm(arrival, cm);
  switch (cm.attribute) {
    case roce::CmAttribute::req:
    case roce::CmAttribute::rep:
      if (cm.local_qpn == 0) {
        cut_setups_.note(packet.source, packet.destination, links_.opened());
      } else if (cm.attribute == roce::CmAttribute::rep || cm.transport_type() == 0) {
        on_setup(arrival);
      }
      break;
    case roce::CmAttribute::dreq:
      if (cm.remote_qpn == 0) {
        cut_setups_.note(packet.source, packet.destination, links_.opened());
      } else {
        on_disconnect(packet, arrival.at);
      }
      break;
    case roce::CmAttribute::drep:
      closing_.confirm({packet.source, packet.destination, cm.remote_comm_id});
      break;
    case roce::CmAttribute::rej:
      links_.on_reject(arrival, cm);
      if (const Setup* refused = setups_.request(packet.destination, packet.source, cm.remote_comm_id)) {
        setups_.forget(Half(refused->half));
      }
      break;
    default:
      break;
  }
}

// A REQ or REP of a connection that is not known. Where a QP is used again, also with the Communication ID of
// before, the Starting PSN shows it; and a REP answers a REQ that was found to be another one's.
void RoceTable::on_setup(const Arrival& arrival) {
  const link::Packet& packet = arrival.packet;
  const roce::CmMessage& cm = cm_;
  if (const RoceLinks::Port used = links_.find(to_sender(packet, cm.local_qpn))) {
    const bool reply = cm.attribute == roce::CmAttribute::rep;
    const Setup* request =
        reply ? setups_.request(packet.destination, packet.source, cm.remote_comm_id) : nullptr;
    const bool answers = request != nullptr && !request->repeated;
    const bool next = used.link->closing && !reply;  // nobody repeats the REQ of what a DREQ has ended
    if (!answers && !next && used.link->set_up_by(rdma::other(used.from), cm)) {
      if (!reply) {
        setups_.hear(setup_of(arrival, cm)).repeated = true;  // as far as its REP does not say otherwise
        used.link->ask_again(rdma::other(used.from), arrival.at);
      }
      return;
    }
    replace(*used.link, arrival.at);
  }
  const Setup setup = setups_.hear(setup_of(arrival, cm));
  if (const Setup* found = setups_.counterpart(setup)) {
    const Setup other = *found;
    setups_.forget(setup.half);
    setups_.forget(other.half);
    join(setup.active ? setup : other, setup.active ? other : setup, arrival.at);
  }
}

void RoceTable::join(const Setup& active, const Setup& passive, const Stamp& at) {
  const Setup& first = captured_before(passive.at, active.at) ? passive : active;
  const uint64_t copies_from_a = unpaired_.copies(passive.half),
                 copies_from_b = unpaired_.copies(active.half);
  const std::vector<std::pair<Side, Waiting>> early =
      unpaired_.take_early(first.order, passive.half, active.half, at);
  RoceLink& link = open(passive.half, active.half, active.transport, first.at, first.order);
  link.connection.end(Side::a).copies = copies_from_a;
  link.connection.end(Side::b).copies = copies_from_b;
  link.apply(Side::a, active);
  link.apply(Side::b, passive);
  link.connection.note_frame(at);
  // No single tap shows an end's packets, or its peer's answer, before what they follow.
  link.connection.several_taps |= !early.empty() || captured_before(passive.at, active.at);
  for (const auto& [from, waiting] : early) {
    deliver(link, from, waiting.packet, waiting.at);
  }
}

// A DREQ. Where nothing has come the other way, it ends what one direction shows.
void RoceTable::on_disconnect(const link::Packet& packet, const Stamp& at) {
  const Half half = to_receiver(packet, cm_.remote_qpn);
  if (const std::optional<Match> one_sided = unpaired_.lonely(half)) {
    pair(*one_sided);
  }
  const RoceLinks::Port port = links_.find(half);
  if (port && port.link->ends_with(port.from, cm_.local_comm_id)) {
    closing_.add(*port.link, port.from, {packet.destination, packet.source, cm_.local_comm_id}, at);
    port.link->pair->close(at);
  }
}

void RoceTable::give_up(GiveUp what, const Stamp& at) {
  if (what == GiveUp::strangers) {
    while (!budget_.eased() && !unpaired_.empty()) {
      unpaired_.drop_idlest();
      budget_.note_given_up();
    }
    return;
  }
  std::vector<RoceLink*> some;
  for (RoceLink* link : links_.all()) {
    const bool quiet = at.time_ns - link->connection.last_frame.time_ns >= kIdleNs;
    if (what != GiveUp::idle || !link->pair || (quiet && !observer_.busy(link->connection))) {
      some.push_back(link);
    }
  }
  idlest_first(some);
  for (RoceLink* link : some) {
    if (budget_.eased()) {
      return;
    }
    give_up(*link, what, at);
  }
}

void RoceTable::give_up(RoceLink& link, GiveUp what, const Stamp& at) {
  if (what == GiveUp::idle || what == GiveUp::any) {
    if (link.pair) {
      budget_.note_given_up();
      observer_.on_give_up(link.connection, at);
    }
    leave(link);
  } else if (link.pair) {
    if (what == GiveUp::waiting && link.pair->shelf().lends()) {
      budget_.note_given_up();
      observer_.on_give_up(link.connection, at);
      link.pair->give_up_waiting(at);
    }
    link.pair->shelf().shrink();
    link.charge();
  }
}

void RoceTable::finish() {
  for (const Match& match : unpaired_.finish()) {
    now_.turn(Moment::Phase::unpaired, 0, match.order);
    pair(match);
    observer_.on_pressure(match.packets.back().second.at);
  }
  std::vector<RoceLink*> left = links_.all();
  std::sort(left.begin(), left.end(), [](const RoceLink* x, const RoceLink* y) {
    return std::tie(x->connection.order, x->number) < std::tie(y->connection.order, y->number);
  });
  for (RoceLink* link : left) {
    now_.turn(Moment::Phase::roce, 0, link->connection.order);
    report_rest(*link);
  }
  links_.clear();
}

}  // namespace steertag::track
