#include "track/iwarp_table.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "rdma/iwarp/opening.h"
#include "track/connection.h"
#include "track/iwarp_flow.h"

namespace steertag::track {
namespace {

// Of an entry, with what helps to find it: of flows_, of idlest_.
constexpr size_t kBytesOfEntry = 256;

// A SYN in the midst of an established connection: its receiver ignores it (RFC 9293 §3.10.7.4). If it was no
// late one, a SYN of the other end follows.
bool is_stray_syn(const Connection& connection, const rdma::iwarp::Closings& closings,
                  const link::TcpFields& tcp, const Stamp& at) {
  return tcp.syn && !tcp.ack && connection.rpcrdma && !closings.first &&
         at.time_ns - connection.last_frame.time_ns < kIdleNs;
}

}  // namespace

using rdma::iwarp::Proof;

IwarpTable::IwarpTable(Observer& observer, rdma::iwarp::Options options, base::Budget& budget, Moment& now)
    : observer_(observer), budget_(budget), account_(budget), now_(now), options_(std::move(options)) {}

IwarpTable::~IwarpTable() = default;

bool IwarpTable::is_from_low(const link::Packet& packet) {
  return std::tie(packet.source, packet.tcp.source_port) <=
         std::tie(packet.destination, packet.tcp.destination_port);
}

IwarpTable::Key IwarpTable::key_of(const link::Packet& packet) {
  const link::TcpFields& tcp = packet.tcp;
  return is_from_low(packet) ? Key{packet.source, packet.destination, tcp.source_port, tcp.destination_port}
                             : Key{packet.destination, packet.source, tcp.destination_port, tcp.source_port};
}

IwarpTable::Place IwarpTable::find(const link::Packet& packet) {
  if (const Place* known = recent_.find(packet.flow)) [[likely]] {
    return *known;
  }
  const auto found = flows_.find(key_of(packet));
  const Place place{found == flows_.end() ? nullptr : &found->second, is_from_low(packet)};
  if (place.entry != nullptr) {
    recent_.keep(packet.flow, 0, place);
  }
  return place;
}

IwarpTable::Entry& IwarpTable::enter(const Arrival& arrival) {
  if (flows_.size() >= kMaxFlows) [[unlikely]] {
    make_room(arrival.at);
  }
  const Key key = key_of(arrival.packet);
  Entry& entry = flows_.try_emplace(key).first->second;
  recent_.forget();
  charge();
  trim_idlest();
  idlest_.add(key, Idle{true, arrival.at.time_ns, arrival.order});
  return entry;
}

void IwarpTable::on_packet(const Arrival& arrival) {
  const link::Packet& packet = arrival.packet;
  const Stamp& at = arrival.at;
  auto [entry, from_low] = find(packet);
  if (entry != nullptr && !entry->flow && !packet.tcp.syn) {
    const std::optional<Over>& over = entry->over;
    if (over ? over->is_past(from_low, packet) : !rdma::iwarp::opens_like_mpa(packet.payload)) {
      return;  // known to be something else, or over
    }
  }
  if (arrival.copy) {
    if (entry != nullptr && entry->flow) {
      Flow& known = *entry->flow;
      ++known.connection.end(known.side(from_low)).copies;
      if (arrival.marked) {
        known.on_mark(from_low, at);
      }
    }
    return;
  }
  if (entry == nullptr) {
    entry = &enter(arrival);
  }
  std::unique_ptr<Flow>& flow = entry->flow;
  if (flow &&
      ((flow->tcp.opens_new_epoch(flow->side(from_low), packet) &&
        !is_stray_syn(flow->connection, flow->tcp.closings(), packet.tcp, at)) ||
       (out_of_touch(flow->connection.last_frame, at) && !flow->tcp.goes_on(flow->side(from_low), packet)))) {
    replace(key_of(packet), *entry, at);
  }
  if (!flow) {
    flow = open(packet, from_low, at, arrival.order);
  }
  const Side from = flow->side(from_low);
  flow->connection.note_frame(at);
  flow->connection.other_end_heard |= from == Side::b;
  flow->connection.end(from).traffic_class.note(packet);
  flow->connection.end(from).link_changes.note(packet.station, at);
  if (arrival.marked) [[unlikely]] {
    flow->on_mark(from_low, at);
  }
  if (!flow->connection.rpcrdma) [[unlikely]] {
    flow->setup.on_segment(from, packet, at);
  }
  flow->tcp.on_segment(from, packet, at);
  if (flow->tcp.proof() == Proof::not_rdma || flow->tcp.ended()) {
    close(key_of(packet), *entry);
  } else {
    flow->charge();
  }
}

void IwarpTable::on_icmp(const link::IcmpError& error, const Stamp& at) {
  const link::IcmpError::Quote& quote = error.quote;
  link::Packet quoted;
  quoted.source = quote.source;
  quoted.destination = quote.destination;
  quoted.tcp.source_port = quote.source_port;
  quoted.tcp.destination_port = quote.destination_port;
  const auto found = flows_.find(key_of(quoted));
  if (found == flows_.end() || !found->second.flow) {
    return;
  }
  Flow& flow = *found->second.flow;
  const Side from = flow.side(is_from_low(quoted));
  if (!flow.connection.rpcrdma) {
    flow.setup.on_icmp(from, error, at);
  }
  if (flow.heard_by == nullptr) {
    return;
  }
  constexpr uint32_t kRecent = 1 << 24;  // bytes that the end of its stream may be ahead of what is quoted
  const std::optional<uint32_t> next = flow.tcp.next_sequence(from);
  if (next && *next - quote.sequence - 1 < kRecent) {
    flow.connection.icmp.note(error, at);
  }
}

// Its last segments, late or repeated; or nothing that shows which. An MPA Request or Reply of the next
// connection lies ahead of them, however near (RFC 9293 §3.4.3).
bool IwarpTable::Over::is_past(bool low, const link::Packet& packet) const {
  if (packet.payload_length == 0) {
    return true;
  }
  const std::optional<uint32_t>& next = low ? from_low : from_high;
  if (!next) {
    return !rdma::iwarp::opens_like_mpa(packet.payload);
  }
  const bool repeated = static_cast<int32_t>(packet.tcp.sequence - *next) < 0;
  return !rdma::iwarp::is_foreign(packet.tcp.sequence, *next) &&
         (repeated || !rdma::iwarp::opens_like_mpa(packet.payload));
}

std::unique_ptr<IwarpTable::Flow> IwarpTable::open(const link::Packet& packet, bool from_low, const Stamp& at,
                                                   uint64_t order) {
  auto flow = std::make_unique<Flow>(*this, from_low);
  Connection& c = flow->connection;
  c.transport = rdma::Transport::iwarp;
  c.other_end_heard = false;
  c.end(Side::a).address = packet.source;
  c.end(Side::a).port = packet.tcp.source_port;
  c.end(Side::b).address = packet.destination;
  c.end(Side::b).port = packet.tcp.destination_port;
  c.order = order;
  c.first_frame = c.last_frame = at;
  const auto known = [&](Side side) {
    return std::find(options_.ports.begin(), options_.ports.end(), *c.end(side).port) != options_.ports.end();
  };
  if (known(Side::a) != known(Side::b)) {
    c.client = known(Side::b) ? Side::a : Side::b;
  }
  return flow;
}

void IwarpTable::close(const Key& key, Entry& entry) {
  Flow& flow = *entry.flow;
  flow.note_closings();
  crc_errors_ += flow.tcp.counters().crc_bad;
  entry.over.reset();
  if (flow.heard_by != nullptr) {
    if (!flow.connection.other_end_heard) {
      flow.connection.end(Side::b).gaps = 0;  // none of what it sent is in the capture
    }
    entry.over = Over{flow.tcp.next_sequence(flow.side(true)), flow.tcp.next_sequence(flow.side(false))};
    observer_.on_close(flow.connection);
  }
  if (!flow.connection.rpcrdma) {
    flow.note_reply();
    observer_.on_tcp_over(flow.setup, flow.connection);
  }
  entry.flow.reset();
  trim_idlest();  // the same ports may be used again for ever
  idlest_.add(key, Idle{});
}

// Its ports are used again, or its place is needed: what it still held back is reported first.
void IwarpTable::replace(const Key& key, Entry& entry, const Stamp& at) {
  entry.flow->tcp.finish(at);
  if (!out_of_touch(entry.flow->connection.last_frame, at)) {  // otherwise its own capture just ended
    entry.flow->on_end(rdma::EndReason::replaced, at);
  }
  close(key, entry);
}

std::optional<IwarpTable::Idle> IwarpTable::idle(const Key& key) const {
  const auto found = flows_.find(key);
  if (found == flows_.end()) {
    return std::nullopt;
  }
  const Flow* flow = found->second.flow.get();
  return flow == nullptr ? Idle{} : Idle{true, flow->connection.last_frame.time_ns, flow->connection.order};
}

void IwarpTable::trim_idlest() {
  idlest_.trim(flows_.size(), [&](const Key& key) { return idle(key); });
}

void IwarpTable::make_room(const Stamp& at) {
  const std::optional<Key> idlest = idlest_.take([&](const Key& key) { return idle(key); });
  forget(*idlest, at);
}

void IwarpTable::finish() {
  std::vector<std::pair<const Key, Entry>*> open;
  for (auto& entry : flows_) {
    if (entry.second.flow) {
      open.push_back(&entry);
    }
  }
  std::sort(open.begin(), open.end(), [](const auto* x, const auto* y) {
    return x->second.flow->connection.order < y->second.flow->connection.order;
  });
  for (auto* entry : open) {
    Flow& flow = *entry->second.flow;
    now_.turn(Moment::Phase::iwarp, 0, flow.connection.order);
    flow.tcp.finish(flow.connection.last_frame);
    close(entry->first, entry->second);
  }
  flows_.clear();
  recent_.forget();
}

uint64_t IwarpTable::crc_errors() const {
  uint64_t sum = crc_errors_;
  for (const auto& [key, entry] : flows_) {
    sum += entry.flow ? entry.flow->tcp.counters().crc_bad : 0;
  }
  return sum;
}

// What the table of TCP connections gives up for want of memory.

void IwarpTable::charge() {
  account_.set(flows_.size() * kBytesOfEntry);
}

// As if its part of the capture ended here.
void IwarpTable::forget(const Key& key, const Stamp& at) {
  const auto found = flows_.find(key);
  if (found->second.flow) {
    budget_.note_given_up();
    Flow& flow = *found->second.flow;
    if (flow.heard_by != nullptr) {
      observer_.on_give_up(flow.connection, at);
      flow.tcp.finish(flow.connection.last_frame);
    }
    close(key, found->second);
  }
  flows_.erase(key);
  recent_.forget();
  charge();
}

void IwarpTable::give_up(GiveUp what, const Stamp& at) {
  struct Candidate {
    Key key;
    const Connection& connection;
    Flow& flow;
  };
  std::vector<std::unique_ptr<Candidate>> some;
  for (const auto& [key, entry] : flows_) {
    if (!entry.flow) {
      continue;
    }
    Flow& flow = *entry.flow;
    const bool quiet = at.time_ns - flow.connection.last_frame.time_ns >= kIdleNs;
    const bool idle = quiet && flow.heard_by != nullptr && !observer_.busy(flow.connection);
    if (what == GiveUp::strangers ? flow.heard_by == nullptr : what != GiveUp::idle || idle) {
      some.push_back(std::make_unique<Candidate>(Candidate{key, flow.connection, flow}));
    }
  }
  idlest_first(some);
  for (const std::unique_ptr<Candidate>& one : some) {
    if (budget_.eased()) {
      break;
    }
    if (what == GiveUp::spare || what == GiveUp::waiting) {
      shrink(one->flow, what, at);
    } else {
      forget(one->key, at);
    }
  }
  if (what == GiveUp::any && !budget_.eased()) {  // what is known to be something else
    flows_.clear();
    recent_.forget();
    charge();
  }
}

void IwarpTable::shrink(Flow& flow, GiveUp what, const Stamp& at) {
  if (what == GiveUp::waiting && flow.tcp.anything_waits()) {
    budget_.note_given_up();
    if (flow.heard_by != nullptr) {
      observer_.on_give_up(flow.connection, at);
    }
    flow.tcp.give_up_waiting(at);
  }
  flow.tcp.shrink();
  flow.charge();
}

}  // namespace steertag::track
