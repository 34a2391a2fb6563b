#include "track/roce_table.h"

#include <algorithm>

#include "rdma/roce/icrc.h"

namespace steertag::track {

namespace roce = rdma::roce;
using roce::CmAttribute;
using roce::CmMessage;

namespace {

// Packets that still come for a connection which has ended; after this many
// its QPs are in use again, and the setup of that is not in the capture.
constexpr uint32_t kLateEnough = 64;

rdma::Transport transport_of(link::Carrier carrier) {
  switch (carrier) {
    case link::Carrier::roce1:
      return rdma::Transport::roce1;
    case link::Carrier::infiniband:
      return rdma::Transport::infiniband;
    default:
      return rdma::Transport::roce2;
  }
}

Half to_receiver(const link::Packet& packet, uint32_t qpn) {
  return {packet.source, packet.destination, qpn};
}
Half to_sender(const link::Packet& packet, uint32_t qpn) {
  return {packet.destination, packet.source, qpn};
}

}  // namespace

// A connection, its emulated QPs and who listens. After its end it stays here
// without them, so that packets on their way are not taken for a new one.
struct RoceTable::Link final : rdma::Listener {
  Connection connection;
  std::array<std::optional<Half>, 2> halves;  // by sender
  std::array<uint32_t, 2> comm_ids{};         // of the CM, 0 where not seen
  std::unique_ptr<roce::Engine> engine;
  rdma::Listener* listener = nullptr;
  uint32_t after_end = 0;

  void on_setup(Side, const rdma::SetupHalf&, const Stamp&) override {}
  void on_op(const rdma::RdmaOp& op) override { listener->on_op(op); }
  void on_fault(const rdma::Fault& fault) override { listener->on_fault(fault); }
  void on_gap(Side from, const Stamp& at) override {
    ++connection.end(from).gaps;
    listener->on_gap(from, at);
  }
  void on_repeat(Side from, const Stamp& at) override {
    End& end = connection.end(from);
    ++end.repeats;
    end.repeated_reads = engine->repeated_reads(from);
    listener->on_repeat(from, at);
  }
  void on_anomaly(const rdma::Anomaly& anomaly) override { listener->on_anomaly(anomaly); }
  void on_end(rdma::EndReason, const Stamp&) override {}
};

RoceTable::RoceTable(Observer& observer, bool verify_icrc) : observer_(observer), verify_icrc_(verify_icrc) {}
RoceTable::~RoceTable() = default;

void RoceTable::on_packet(const link::Packet& packet, const Stamp& at, uint64_t order) {
  if (!roce::decode(packet.payload, packet.payload_length, packet_)) {
    return;
  }
  if (verify_icrc_) {
    verify(packet);
  }
  const roce::Shape what = roce::shape(packet_.opcode);
  if (what.role == roce::Role::unknown) {
    if (roce::decode(packet_, cm_)) {
      on_cm(packet, cm_, at, order);
    }
    return;
  }
  if (packet_.malformed) {
    return;  // no receiver takes it
  }
  const Half half = to_receiver(packet, packet_.dest_qp);
  const auto port = ports_.find(half);
  if (port == ports_.end()) {
    if (std::optional<Match> match = unpaired_.add(half, transport_of(packet.carrier), packet_, at, order)) {
      pair(*match);
    }
    return;
  }
  Link& link = *port->second.link;
  if (link.engine) [[likely]] {
    link.connection.last_frame = at;
    link.engine->on_packet(port->second.from, packet_, at);
  } else if (++link.after_end > kLateEnough) {
    close(link);
  }
}

// RoCEv1 and native InfiniBand are left out: no capture has confirmed how they
// are computed.
void RoceTable::verify(const link::Packet& packet) {
  if (packet.carrier != link::Carrier::roce2) {
    return;
  }
  const std::optional<uint32_t> carried = roce::stored_icrc(packet);
  const std::optional<uint32_t> computed = roce::icrc(packet);
  if (carried && computed) {
    packet_.icrc = roce::IcrcCheck{*computed, *carried};
    icrc_errors_ += packet_.damaged() ? 1 : 0;
  }
}

// --- connection management ---

void RoceTable::on_cm(const link::Packet& packet, const CmMessage& cm, const Stamp& at, uint64_t order) {
  switch (cm.attribute) {
    case CmAttribute::req:
      if (cm.transport_type() == 0) {
        on_request(packet, cm, at, order);
      }
      break;
    case CmAttribute::rep:
      on_reply(packet, cm, at, order);
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
    end(link, rdma::EndReason::replaced, at);
    close(link);
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
    end(link, rdma::EndReason::replaced, at);
    close(link);
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
  const std::vector<std::pair<Side, Waiting>> early = take_early(active, passive.half, at);
  Link& link = open(passive.half, active.half, active.transport, active.at, active.order);
  link.connection.pairing = track::Pairing::setup;
  link.connection.seen_from_start = true;
  apply(link, Side::a, active);
  apply(link, Side::b, passive);
  link.connection.last_frame = at;
  for (const auto& [from, waiting] : early) {
    link.engine->on_packet(from, waiting.packet, waiting.at);
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
    port->second.link->connection.last_frame = at;
    end(*port->second.link, rdma::EndReason::disconnect, at);
  }
}

// --- links ---

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
    const auto used = ports_.find(*half);
    if (used != ports_.end()) {
      Link& old = *used->second.link;
      end(old, rdma::EndReason::replaced, at);
      close(old);
    }
  }
  Link& link = *links_.emplace_back(std::make_unique<Link>());
  Connection& c = link.connection;
  c.transport = transport;
  c.order = order;
  c.first_frame = c.last_frame = at;
  c.end(Side::a).address = from_a.source;
  c.end(Side::b).address = from_a.destination;
  c.end(Side::b).qpn = from_a.qpn;
  link.halves = {from_a, from_b};
  ports_[from_a] = {&link, Side::a};
  if (from_b) {
    c.end(Side::a).qpn = from_b->qpn;
    ports_[*from_b] = {&link, Side::b};
  }
  link.engine = std::make_unique<roce::Engine>(link);
  link.listener = &observer_.on_open(c);
  return link;
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
  }
  link.listener->on_setup(side, facts, setup.at);
}

// Flows that were found to belong together; the packets that waited go first.
void RoceTable::pair(const Match& match) {
  const Waiting& first = match.packets.front().second;
  Link& link = open(match.from_a, match.from_b, match.transport, first.at, first.order);
  link.connection.pairing = match.from_b ? track::Pairing::inferred : track::Pairing::one_sided;
  for (const Side side : {Side::a, Side::b}) {
    const std::optional<Half>& to_side = link.halves[rdma::index(rdma::other(side))];
    if (const Setup* setup = to_side ? find_setup(*to_side) : nullptr) {
      const Setup known = *setup;
      std::erase_if(setups_, [&](const Setup& s) { return s.half == known.half; });
      apply(link, side, known);
      link.connection.seen_from_start = true;
      if (known.order < link.connection.order) {
        link.connection.order = known.order;
        link.connection.first_frame = known.at;
      }
    }
  }
  for (const auto& [from, packet] : match.packets) {
    link.connection.last_frame = packet.at;
    link.engine->on_packet(from, packet.packet, packet.at);
  }
}

// The connection is over; its place is kept for packets on their way.
void RoceTable::end(Link& link, rdma::EndReason reason, const Stamp& at) {
  if (!link.engine) {
    return;
  }
  link.connection.ended = reason;
  link.engine->finish(at);
  lost_ += link.engine->lost();
  link.listener->on_end(reason, at);
  link.listener = nullptr;
  link.engine.reset();
  observer_.on_close(link.connection);
}

void RoceTable::close(Link& link) {
  for (const std::optional<Half>& half : link.halves) {
    if (half) {
      ports_.erase(*half);
    }
  }
  const auto place =
      std::find_if(links_.begin(), links_.end(), [&](const auto& owned) { return owned.get() == &link; });
  links_.erase(place);
}

void RoceTable::make_room(const Stamp& at) {
  const auto idlest = std::min_element(links_.begin(), links_.end(), [](const auto& x, const auto& y) {
    if (!x->engine != !y->engine) {
      return !x->engine;
    }
    return x->connection.last_frame.time_ns < y->connection.last_frame.time_ns;
  });
  end(**idlest, rdma::EndReason::replaced, at);
  close(**idlest);
}

void RoceTable::finish(const Stamp& at) {
  for (const Match& match : unpaired_.finish()) {
    pair(match);
  }
  std::sort(links_.begin(), links_.end(),
            [](const auto& x, const auto& y) { return x->connection.order < y->connection.order; });
  for (const std::unique_ptr<Link>& link : links_) {
    if (link->engine) {
      link->engine->finish(at);
      lost_ += link->engine->lost();
      observer_.on_close(link->connection);
    }
  }
  ports_.clear();
  links_.clear();
}

}  // namespace steertag::track
