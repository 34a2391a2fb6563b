#include "track/roce_links.h"

#include <algorithm>
#include <array>

#include "link/headers.h"
#include "rdma/roce/cm.h"
#include "rdma/roce/headers.h"
#include "rdma/roce/packet.h"

namespace steertag::track {
namespace {

constexpr size_t kMany = 64;  // connections whose state leaves the cache before its turn comes again

bool of_roce(const Arrival& arrival) {
  const link::Carrier carrier = arrival.packet.carrier;
  return carrier == link::Carrier::roce2 || carrier == link::Carrier::roce1 ||
         carrier == link::Carrier::infiniband;
}

auto half_of(const Arrival& arrival) {
  return [&] { return to_receiver(arrival.packet, arrival.bth.dest_qp); };
}

}  // namespace

void RoceLinks::on_icmp(const link::IcmpError& error, const Stamp& at) const {
  const Bytes data = error.quote.data;
  rdma::roce::Packet quoted;
  if (!rdma::roce::decode(data, static_cast<uint32_t>(data.size()), quoted)) {
    if (const Port port = sender_of(error.quote)) {
      port.link->connection.icmp.note(error, at);
    }
    return;
  }
  const Port port = find(Half{error.quote.source, error.quote.destination, quoted.dest_qp});
  if (port && port.link->pair && port.link->late(port.from, quoted)) {
    port.link->connection.icmp.note(error, at);
  }
}

template <typename Look>
bool RoceLinks::each_between(const base::Address& one, const base::Address& other, const Look& look) const {
  const Between last = between(one, other, UINT64_MAX);
  size_t looked_at = 0;
  for (auto found = open_.lower_bound(between(one, other, 0)); found != open_.end() && *found < last;
       ++found) {
    RoceLink& link = *links_.find(std::get<uint64_t>(*found))->second;
    if (++looked_at > kMostAlike) {
      return false;
    }
    look(Port{&link, link.connection.end(Side::a).address == one ? Side::a : Side::b});
  }
  return true;
}

// A router may quote no more than the UDP header (RFC 792). All packets of a QP have one source port, and
// what is as long as a message of the CM may be one.
RoceLinks::Port RoceLinks::sender_of(const link::IcmpError::Quote& quote) const {
  namespace roce = rdma::roce;
  constexpr uint32_t kCmLength =
      link::UdpHeader::size + roce::Bth::size + roce::Deth::size + roce::kMadSize + roce::kIcrcSize;
  if (quote.source == quote.destination || quote.udp_length == kCmLength) {
    return {};
  }
  Port found;
  size_t count = 0;
  const bool all = each_between(quote.source, quote.destination, [&](const Port& port) {
    if (port.link->udp_ports[rdma::index(port.from)] == quote.source_port) {
      found = port;
      ++count;
    }
  });
  return all && count == 1 ? found : Port{};
}

// Who does not know a connection, or no longer waits for it, says so by a REJ (IBTA vol. 1, §12.6.7). It
// names both ends' IDs, or its receiver's alone; but then, if it is about a REQ, perhaps about an earlier
// one.
void RoceLinks::on_reject(const Arrival& arrival, const rdma::roce::CmMessage& reject) const {
  const bool may_be_alone =
      reject.local_comm_id == 0 && reject.about() != rdma::roce::CmMessage::kAboutRequest;
  if (reject.remote_comm_id == 0) {
    return;
  }
  each_between(arrival.packet.source, arrival.packet.destination, [&](const Port& port) {
    RoceLink& link = *port.link;
    const uint32_t own = link.comm_ids[rdma::index(port.from)],
                   peers = link.comm_ids[rdma::index(rdma::other(port.from))];
    if (!link.closing && peers == reject.remote_comm_id &&
        (may_be_alone || (own == reject.local_comm_id && own != 0))) {
      link.connection.rejection.make() = {port.from, reject.reject_reason, arrival.at};
    }
  });
}

// Where the state of many connections is in turn, none of it is in a cache when its packet comes. So what
// lies one pointer further is asked for with each step, for all packets that come soon together. The state of
// few is in a cache anyway.
void RoceLinks::expect(std::span<const Arrival* const> coming) {
  if (links_.size() < kMany) {
    return;
  }
  struct Expected {
    const Arrival* arrival = nullptr;
    Port port;
  };
  std::array<Expected, kMostExpected> expected;
  size_t count = 0;
  for (const Arrival* arrival : coming) {
    if (count != expected.size() && !arrival->copy && of_roce(*arrival)) {
      ports_.expect(arrival->packet.flow, arrival->bth.dest_qp, half_of(*arrival));
      expected[count++].arrival = arrival;
    }
  }
  // One connection is asked for once: mostly what comes is a run of packets of one or two.
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const Arrival& arrival = *expected[i].arrival;
    const Port port = ports_.find(arrival.packet.flow, arrival.bth.dest_qp, half_of(arrival));
    const auto again = [&](size_t back) {
      return kept >= back && expected[kept - back].port.link == port.link;
    };
    if (port && !again(1) && !again(2)) {
      expected[kept++] = {&arrival, port};
    }
  }
  using Step = RoceLink::Step;
  for (const Step step : {Step::link, Step::parts, Step::listener, Step::contents}) {
    for (size_t i = 0; i < kept; ++i) {
      expected[i].port.link->fetch(expected[i].port.from, expected[i].arrival->bth.opcode, step);
    }
  }
}

RoceLink& RoceLinks::add(const Half& from_a, const std::optional<Half>& from_b) {
  const uint64_t number = ++opened_;
  RoceLink& link = *(links_[number] = std::make_unique<RoceLink>(budget_));
  link.number = number;
  Connection& c = link.connection;
  c.end(Side::a).address = from_a.source;
  c.end(Side::b).address = from_a.destination;
  c.end(Side::b).qpn = from_a.qpn;
  link.halves = {from_a, from_b};
  ports_.set(from_a, {&link, Side::a});
  if (from_b) {
    c.end(Side::a).qpn = from_b->qpn;
    ports_.set(*from_b, {&link, Side::b});
  }
  return link;
}

void RoceLinks::rank(const RoceLink& link) {
  const Between hosts =
      between(link.connection.ends[0].address, link.connection.ends[1].address, link.number);
  if (link.pair) {
    open_.insert(hosts);
  } else {
    open_.erase(hosts);
  }
  idlest_.trim(links_.size(), [&](uint64_t other) { return idle(other); });
  idlest_.add(link.number, link.idle());
}

RoceLink& RoceLinks::idlest() {
  return *links_.find(*idlest_.take([&](uint64_t number) { return idle(number); }))->second;
}

RoceLinks::Between RoceLinks::between(const base::Address& x, const base::Address& y, uint64_t number) {
  return {std::min(x, y), std::max(x, y), number};
}

std::optional<RoceLink::Idle> RoceLinks::idle(uint64_t number) const {
  const auto found = links_.find(number);
  return found == links_.end() ? std::nullopt : std::optional(found->second->idle());
}

void RoceLinks::remove(const RoceLink& link) {
  for (const std::optional<Half>& half : link.halves) {
    if (half) {
      ports_.erase(*half);
    }
  }
  open_.erase(between(link.connection.ends[0].address, link.connection.ends[1].address, link.number));
  links_.erase(link.number);
}

void RoceLinks::clear() {
  ports_.clear();
  open_.clear();
  links_.clear();
}

std::vector<RoceLink*> RoceLinks::all() const {
  std::vector<RoceLink*> links;
  for (const auto& [number, link] : links_) {
    links.push_back(link.get());
  }
  return links;
}

}  // namespace steertag::track
