#include "track/iwarp_table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "rdma/iwarp/opening.h"
#include "track/iwarp_flow.h"

namespace steertag::track {

using rdma::iwarp::Proof;

IwarpTable::IwarpTable(Observer& observer, rdma::iwarp::Options options, base::Budget& budget, Moment& now)
    : observer_(observer), budget_(budget), account_(budget), now_(now), options_(std::move(options)) {}

IwarpTable::~IwarpTable() = default;

void IwarpTable::on_packet(const Arrival& arrival) {
  const link::Packet& packet = arrival.packet;
  const Stamp& at = arrival.at;
  const link::TcpFields& tcp = packet.tcp;
  const bool from_low =
      std::tie(packet.source, tcp.source_port) <= std::tie(packet.destination, tcp.destination_port);
  const Key key = from_low ? Key{packet.source, packet.destination, tcp.source_port, tcp.destination_port}
                           : Key{packet.destination, packet.source, tcp.destination_port, tcp.source_port};
  auto entry = flows_.find(key);
  if (entry != flows_.end() && !entry->second.flow && !tcp.syn) [[likely]] {
    const std::optional<Over>& over = entry->second.over;
    if (over ? over->is_past(from_low, packet) : !rdma::iwarp::opens_like_mpa(packet.payload)) {
      return;  // known to be something else, or over
    }
  }
  if (arrival.copy) {
    if (entry != flows_.end() && entry->second.flow) {
      Flow& known = *entry->second.flow;
      ++known.connection.end(known.side(from_low)).copies;
      if (arrival.marked) {
        known.on_mark(from_low, at);
      }
    }
    return;
  }
  if (entry == flows_.end()) {
    if (flows_.size() >= kMaxFlows) [[unlikely]] {
      make_room(at);
    }
    entry = flows_.try_emplace(key).first;
    charge();
    idlest_.trim(flows_.size(), [&](const Key& other) { return idle(other); });
    idlest_.add(key, Idle{true, at.time_ns, arrival.order});
  }
  std::unique_ptr<Flow>& flow = entry->second.flow;
  if (flow &&
      (flow->tcp.opens_new_epoch(flow->side(from_low), packet) ||
       (out_of_touch(flow->connection.last_frame, at) && !flow->tcp.goes_on(flow->side(from_low), packet)))) {
    replace(key, entry->second, at);
  }
  if (!flow) {
    flow = open(packet, from_low, at, arrival.order);
  }
  flow->connection.note_frame(at);
  flow->connection.other_end_heard |= flow->side(from_low) == Side::b;
  if (arrival.marked) [[unlikely]] {
    flow->on_mark(from_low, at);
  }
  flow->tcp.on_segment(flow->side(from_low), packet, at);
  if (flow->tcp.proof() == Proof::not_rdma || flow->tcp.ended()) {
    close(key, entry->second);
  } else {
    flow->charge();
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
  crc_errors_ += flow.tcp.counters().crc_bad;
  entry.over.reset();
  if (flow.heard_by != nullptr) {
    entry.over = Over{flow.tcp.next_sequence(flow.side(true)), flow.tcp.next_sequence(flow.side(false))};
    observer_.on_close(flow.connection);
  }
  entry.flow.reset();
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
}

uint64_t IwarpTable::crc_errors() const {
  uint64_t sum = crc_errors_;
  for (const auto& [key, entry] : flows_) {
    sum += entry.flow ? entry.flow->tcp.counters().crc_bad : 0;
  }
  return sum;
}

}  // namespace steertag::track
