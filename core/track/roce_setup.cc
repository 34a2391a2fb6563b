// What the communication manager says: connections that are set up and torn down
// in the capture.

#include <algorithm>

#include "track/roce_link.h"

namespace steertag::track {

namespace roce = rdma::roce;
using roce::CmAttribute;
using roce::CmMessage;

void RoceTable::on_cm(const link::Packet& packet, const CmMessage& cm, const Stamp& at, uint64_t order) {
  switch (cm.attribute) {
    case CmAttribute::req:
    case CmAttribute::rep:
      if (cm.local_qpn == 0) {
        cut_setups_.note(packet.source, packet.destination, opened_);
      } else if (cm.attribute == CmAttribute::rep || cm.transport_type() == 0) {
        on_setup(packet, cm, at, order);
      }
      break;
    case CmAttribute::dreq:
      if (cm.remote_qpn == 0) {
        cut_setups_.note(packet.source, packet.destination, opened_);
      } else {
        on_disconnect(packet, cm, at);
      }
      break;
    case CmAttribute::rej:
      if (const Setup* refused = setups_.request(packet.destination, packet.source, cm.remote_comm_id)) {
        setups_.forget(Half(refused->half));
      }
      break;
    default:
      break;
  }
}

Setup RoceTable::setup_of(const link::Packet& packet, const CmMessage& cm, const Stamp& at,
                          uint64_t order) const {
  Setup setup;
  setup.half = to_sender(packet, cm.local_qpn);
  setup.at = at;
  setup.order = order;
  setup.transport = transport_of(packet.carrier);
  setup.active = cm.attribute == CmAttribute::req;
  if (setup.active) {
    setup.path_mtu = cm.path_mtu();
    setup.port = cm.is_ip_service() ? cm.port() : 0;
  }
  setup.comm_id = cm.local_comm_id;
  setup.peer_comm_id = cm.remote_comm_id;
  setup.qpn = cm.local_qpn;
  setup.icrc = packet_.icrc;
  if (cm.has_starting_psn) {
    setup.starting_psn = cm.starting_psn;
  }
  setup.private_data.assign(cm.private_data.begin(), cm.private_data.end());
  setup.facts.seen = true;
  setup.facts.private_data_whole = cm.private_data_whole;
  if (cm.has_depths) {
    setup.facts.initiator_depth = cm.initiator_depth;
    setup.facts.responder_resources = cm.responder_resources;
  }
  return setup;
}

// A REQ or REP of a connection that is not known. Where a QP is used again, also with the Communication ID of
// before, the Starting PSN shows it; and a REP answers a REQ that was found to be another one's.
void RoceTable::on_setup(const link::Packet& packet, const CmMessage& cm, const Stamp& at, uint64_t order) {
  if (const Port used = ports_.find(to_sender(packet, cm.local_qpn))) {
    const bool reply = cm.attribute == CmAttribute::rep;
    const Setup* request =
        reply ? setups_.request(packet.destination, packet.source, cm.remote_comm_id) : nullptr;
    const bool answers = request != nullptr && !request->repeated;
    const bool next = used.link->closing && !reply;  // nobody repeats the REQ of what a DREQ has ended
    if (!answers && !next && used.link->set_up_by(rdma::other(used.from), cm)) {
      if (!reply) {
        // As far as its REP does not say otherwise.
        setups_.hear(setup_of(packet, cm, at, order)).repeated = true;
      }
      return;
    }
    replace(*used.link, at);
  }
  const Setup setup = setups_.hear(setup_of(packet, cm, at, order));
  if (const Setup* found = setups_.counterpart(setup)) {
    const Setup other = *found;
    setups_.forget(setup.half);
    setups_.forget(other.half);
    join(setup.active ? setup : other, setup.active ? other : setup, at);
  }
}

void RoceTable::join(const Setup& active, const Setup& passive, const Stamp& at) {
  const Setup& first = captured_before(passive.at, active.at) ? passive : active;
  const uint64_t copies_from_a = unpaired_.copies(passive.half),
                 copies_from_b = unpaired_.copies(active.half);
  const std::vector<std::pair<Side, Waiting>> early = take_early(first, passive.half, active.half, at);
  Link& link = open(passive.half, active.half, active.transport, first.at, first.order);
  link.connection.end(Side::a).copies = copies_from_a;
  link.connection.end(Side::b).copies = copies_from_b;
  apply(link, Side::a, active);
  apply(link, Side::b, passive);
  link.connection.note_frame(at);
  // No single tap shows an end's packets, or its peer's answer, before what they follow.
  link.connection.several_taps |= !early.empty() || captured_before(passive.at, active.at);
  for (const auto& [from, waiting] : early) {
    deliver(link, from, waiting.packet, waiting.at);
  }
}

// Where each direction has a tap of its own, and the clock of one is ahead, the REP is shown later than what
// came behind it: packets that waited since the REQ, and no longer than any effect waits for its cause.
std::vector<std::pair<Side, Waiting>> RoceTable::take_early(const Setup& first, const Half& from_a,
                                                            const Half& from_b, const Stamp& at) {
  std::vector<std::pair<Side, Waiting>> early;
  for (const auto& [side, half] : {std::pair(Side::a, from_a), std::pair(Side::b, from_b)}) {
    for (Waiting& waiting : unpaired_.forget(half)) {
      if (waiting.order > first.order && at.time_ns - waiting.at.time_ns < roce::QpPair::kPatienceNs) {
        early.emplace_back(side, std::move(waiting));
        early.back().second.packet.payload = early.back().second.bytes;
      }
    }
  }
  std::sort(early.begin(), early.end(),
            [](const auto& x, const auto& y) { return x.second.order < y.second.order; });
  return early;
}

// A DREQ that is late, or repeated, is not for the connection that has these QPs now.
void RoceTable::on_disconnect(const link::Packet& packet, const CmMessage& cm, const Stamp& at) {
  const Port port = ports_.find(to_receiver(packet, cm.remote_qpn));
  if (!port) {
    return;
  }
  Link& link = *port.link;
  const uint32_t known = link.comm_ids[rdma::index(port.from)];
  if (!link.pair || link.closing || (known != 0 && known != cm.local_comm_id)) {
    return;
  }
  link.connection.note_frame(at);
  link.connection.ended = rdma::EndReason::disconnect;
  link.closing = at;
  link.pair->close(at);
  closing_.emplace(link.among_closing(), &link);
}

// Enters what the CM said about `side`, whose own packets go to the other end.
void RoceTable::apply(Link& link, Side side, const Setup& setup) {
  Connection& c = link.connection;
  c.end(side).qpn = setup.qpn;
  link.comm_ids[rdma::index(side)] = setup.comm_id;
  rdma::SetupHalf facts = setup.facts;
  facts.private_data = setup.private_data;
  if (setup.active) {
    c.client = side;
    if (setup.port != 0) {
      c.end(rdma::other(side)).port = setup.port;
    }
  } else {
    c.client = rdma::other(side);
  }
  note_setup(c, side, facts, setup.at);
  if (setup.path_mtu != 0) {
    link.pair->set_path_mtu(setup.path_mtu);
  }
  if (setup.starting_psn) {
    link.pair->expect(rdma::other(side), *setup.starting_psn);
    link.starts[rdma::index(rdma::other(side))] = setup.starting_psn;
    c.seen_from_start = link.starts[0] && link.starts[1];
  }
  link.listener->on_setup(side, facts, setup.at);
  if (setup.damaged()) {
    link.pair->check(side, *setup.icrc, setup.at);
  }
}

}  // namespace steertag::track
