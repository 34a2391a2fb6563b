// What the communication manager says: connections that are set up and torn down
// in the capture.

#include <algorithm>

#include "track/roce_link.h"

namespace steertag::track {

namespace roce = rdma::roce;
using roce::CmAttribute;
using roce::CmMessage;

void RoceTable::on_cm(const link::Packet& packet, const CmMessage& cm, const Stamp& at, uint64_t order) {
  const bool names_qp = cm.local_qpn != 0;  // not cut in front of it
  switch (cm.attribute) {
    case CmAttribute::req:
      if (names_qp && cm.transport_type() == 0) {
        on_request(packet, cm, at, order);
      }
      break;
    case CmAttribute::rep:
      if (names_qp) {
        on_reply(packet, cm, at, order);
      }
      break;
    case CmAttribute::dreq:
      on_disconnect(packet, cm, at);
      break;
    case CmAttribute::rej:
      std::erase_if(setups_, [&](const Setup& s) {
        return s.active && s.comm_id == cm.remote_comm_id && s.half.destination == packet.destination;
      });
      break;
    default:
      break;
  }
}

RoceTable::Setup* RoceTable::find_setup(const Half& half) {
  const auto found =
      std::find_if(setups_.begin(), setups_.end(), [&](const Setup& s) { return s.half == half; });
  return found == setups_.end() ? nullptr : &*found;
}

RoceTable::Setup& RoceTable::remember(const link::Packet& packet, const CmMessage& cm, const Stamp& at,
                                      uint64_t order) {
  const Half half = to_sender(packet, cm.local_qpn);
  Setup* setup = find_setup(half);
  if (setup == nullptr) {
    if (setups_.size() >= kMaxSetups) {
      setups_.erase(setups_.begin());
    }
    setup = &setups_.emplace_back();
  } else if (setup->comm_id == cm.local_comm_id) {
    return *setup;  // repeated
  }
  *setup = {};
  setup->half = half;
  setup->at = at;
  setup->order = order;
  setup->transport = transport_of(packet.carrier);
  setup->comm_id = cm.local_comm_id;
  setup->qpn = cm.local_qpn;
  if (cm.has_starting_psn) {
    setup->starting_psn = cm.starting_psn;
  }
  setup->private_data.assign(cm.private_data.begin(), cm.private_data.end());
  setup->facts.seen = true;
  setup->facts.private_data_whole = cm.private_data_whole;
  if (cm.has_depths) {
    setup->facts.initiator_depth = cm.initiator_depth;
    setup->facts.responder_resources = cm.responder_resources;
  }
  return *setup;
}

void RoceTable::on_request(const link::Packet& packet, const CmMessage& cm, const Stamp& at, uint64_t order) {
  const auto used = ports_.find(to_sender(packet, cm.local_qpn));
  if (used != ports_.end()) {
    Link& link = *used->second.link;
    if (link.comm_ids[rdma::index(rdma::other(used->second.from))] == cm.local_comm_id) {
      return;  // the REQ of this very connection, repeated
    }
    replace(link, at);
  }
  Setup& setup = remember(packet, cm, at, order);
  setup.active = true;
  setup.path_mtu = cm.path_mtu();
  setup.port = cm.is_ip_service() ? cm.port() : 0;
}

void RoceTable::on_reply(const link::Packet& packet, const CmMessage& cm, const Stamp& at, uint64_t order) {
  const Half to_passive = to_sender(packet, cm.local_qpn);
  const auto used = ports_.find(to_passive);
  if (used != ports_.end()) {
    Link& link = *used->second.link;
    if (link.comm_ids[rdma::index(rdma::other(used->second.from))] == cm.local_comm_id) {
      return;
    }
    replace(link, at);
  }
  const auto request = std::find_if(setups_.begin(), setups_.end(), [&](const Setup& s) {
    return s.active && s.comm_id == cm.remote_comm_id && s.half.source == packet.source &&
           s.half.destination == packet.destination;
  });
  if (request == setups_.end()) {
    remember(packet, cm, at, order);
    return;
  }
  const Setup active = *request;
  setups_.erase(request);
  const Setup passive = remember(packet, cm, at, order);
  std::erase_if(setups_, [&](const Setup& s) { return s.half == passive.half; });
  const uint32_t copies_from_a = unpaired_.copies(passive.half),
                 copies_from_b = unpaired_.copies(active.half);
  const std::vector<std::pair<Side, Waiting>> early = take_early(active, passive.half, at);
  Link& link = open(passive.half, active.half, active.transport, active.at, active.order);
  link.connection.pairing = track::Pairing::setup;
  link.connection.end(Side::a).copies = copies_from_a;
  link.connection.end(Side::b).copies = copies_from_b;
  apply(link, Side::a, active);
  apply(link, Side::b, passive);
  link.connection.note_frame(at);
  for (const auto& [from, waiting] : early) {
    deliver(link, from, waiting.packet, waiting.at);
  }
}

// Where each direction has a tap of its own, and the clock of one is ahead, the REP is shown later than what
// came behind it: packets that waited since the REQ, and no longer than any effect waits for its cause.
std::vector<std::pair<Side, Waiting>> RoceTable::take_early(const Setup& active, const Half& to_passive,
                                                            const Stamp& at) {
  std::vector<std::pair<Side, Waiting>> early;
  for (const auto& [side, half] : {std::pair(Side::a, to_passive), std::pair(Side::b, active.half)}) {
    for (Waiting& waiting : unpaired_.forget(half)) {
      if (waiting.order > active.order && at.time_ns - waiting.at.time_ns < roce::Engine::kPatienceNs) {
        early.emplace_back(side, std::move(waiting));
        early.back().second.packet.payload = early.back().second.bytes;
      }
    }
  }
  std::sort(early.begin(), early.end(),
            [](const auto& x, const auto& y) { return x.second.order < y.second.order; });
  return early;
}

void RoceTable::on_disconnect(const link::Packet& packet, const CmMessage& cm, const Stamp& at) {
  const auto port = ports_.find(to_receiver(packet, cm.remote_qpn));
  if (port != ports_.end()) {
    port->second.link->connection.note_frame(at);
    end(*port->second.link, rdma::EndReason::disconnect, at);
  }
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
  note_setup(c, side, facts);
  if (setup.path_mtu != 0) {
    link.engine->set_path_mtu(setup.path_mtu);
  }
  if (setup.starting_psn) {
    link.engine->expect(rdma::other(side), *setup.starting_psn);
    link.starts_known[rdma::index(rdma::other(side))] = true;
    c.seen_from_start = link.starts_known[0] && link.starts_known[1];
  }
  link.listener->on_setup(side, facts, setup.at);
}

}  // namespace steertag::track
