#include "stats/load.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/saturating.h"
#include "flow/pauses.h"
#include "stats/outcome.h"

namespace steertag::stats {
namespace {

// Pause frames are why an RPC took so long where they stopped a link for one in so many parts of its time.
constexpr int64_t kHeldShare = 2;

// `seen`: a bit for each.
Dscps dscps_of(uint64_t seen) {
  Dscps dscps = kNoDscps;
  for (uint8_t& dscp : dscps) {
    if (seen != 0) {
      dscp = static_cast<uint8_t>(std::countr_zero(seen));
      seen &= seen - 1;
    }
  }
  return dscps;
}

// When its receiver had no room.
Span not_ready(const track::End& end) {
  Span span;
  if (end.rnr_naks != 0) {
    span.note(end.first_rnr_nak.time_ns, end.last_rnr_nak.time_ns);
  }
  if (end.zero_windows != 0) {
    const int64_t first_ns = end.first_zero_window.time_ns;
    span.note(first_ns, std::max({first_ns, end.last_zero_window.time_ns, end.last_room.time_ns}));
  }
  return span;
}

EndLoad load_of(const track::End& end, uint64_t bytes, const timing::Passage& passage,
                const timing::Acceptance::Outage& outage, const base::Rare<Refusing>& refusing) {
  return {.address = end.address,
          .dscps = dscps_of(end.traffic_class.dscp),
          .rtt_ns = end.rtt_ns,
          .retransmitted = end.retransmissions,
          .first_again = end.first_retransmission,
          .last_again = end.last_retransmission,
          .naks = end.naks,
          .rnr_naks = end.rnr_naks,
          .zero_windows = end.zero_windows,
          .first_not_ready = end.rnr_naks != 0 ? end.first_rnr_nak : end.first_zero_window,
          .not_ready = not_ready(end),
          .refusing = refusing,
          .ecn_ce = end.ecn_ce,
          .cnps = end.cnps,
          .bytes = bytes,
          .gaps = end.gaps,
          .passage = passage,
          .outage = outage};
}

void add_end(EndLoad& sum, const EndLoad& one) {
  sum.retransmitted += one.retransmitted;
  sum.naks += one.naks;
  sum.rnr_naks += one.rnr_naks;
  sum.zero_windows += one.zero_windows;
  sum.ecn_ce += one.ecn_ce;
  sum.cnps += one.cnps;
  sum.bytes += one.bytes;
  sum.gaps += one.gaps;
  sum.passage.reordered += one.passage.reordered;
  sum.passage.unseen += one.passage.unseen;
}

// For how long a Call was refused whose answer never came: at least until the last RNR NAK, or until it was
// accepted.
int64_t refused_unanswered_ns(const flow::Exchange& exchange) {
  const track::Connection& connection = *exchange.connection;
  const track::End &requester = connection.end(exchange.requester),
                   &responder = connection.end(rdma::other(exchange.requester));
  if (!exchange.call || !exchange.timing.unanswered_ns || exchange.slowdown.rnr_naks < kNotReadyLeast ||
      requester.rnr_naks != 0 || connection.one_direction()) {
    return 0;
  }
  const int64_t from_ns = std::max(exchange.call->time_ns, responder.first_rnr_nak.time_ns);
  const std::optional<Stamp>& accepted = exchange.timeline.call_accepted;
  const int64_t until_ns = std::min(accepted ? accepted->time_ns : INT64_MAX, responder.last_rnr_nak.time_ns);
  return std::max<int64_t>(base::saturating_subtract(until_ns, from_ns), 0);
}

// The grant of the last few Replies may yet be raised, and a Reply that the capture misses may have raised
// it.
std::optional<history::GrantTrend::Reduced> lasting_reduction(const history::GrantTrend& grants,
                                                              const track::End& server) {
  const std::optional<history::GrantTrend::Reduced>& reduced = grants.reduced();
  return reduced && reduced->confirmed >= kLastingGrants && server.gaps == 0 ? reduced : std::nullopt;
}

}  // namespace

const EndLoad* Load::cut_off() const {
  const EndLoad& longer = server.outage.length_ns > client.outage.length_ns ? server : client;
  return longer.outage.repeated >= kOutageRepeats && longer.outage.length_ns >= kOutageNs ? &longer : nullptr;
}

void Refusing::note(const Evidence& rpc, const Span& span) {
  ++rpcs;
  ns += static_cast<uint64_t>(rpc.weight);
  when.note(span, Hit::of(rpc));
  longest.note(rpc);
}

bool Load::is_paused(const Evidence& rpc) const {
  constexpr int64_t kLongNs = 10'000'000;
  return pauses >= flow::Pauses::kLeast && held_longest.any() && held_longest.at == rpc.at &&
         held_longest.weight >= kLongNs;
}

bool Load::both_not_ready() const {
  return std::min(client.rnr_naks + client.zero_windows, server.rnr_naks + server.zero_windows) >=
         kNotReadyLeast;
}

Evidence Load::not_ready(const EndLoad* of) const {
  Evidence found;
  if (transport != rdma::Transport::iwarp) {
    found = of != nullptr ? of->refusing.value().longest : noisiest;
  }
  for (const EndLoad* end : {&client, &server}) {
    if (end->not_ready.any() && (of == nullptr || of == end) && found.weight <= 0) {
      found.note({0, end->first_not_ready, number, 0});
    }
  }
  return found;
}

void Loads::note(const flow::Message& message) {
  if (message.header == nullptr) {
    return;
  }
  const uint32_t xid = message.header->xid;
  if (message.direction == flow::Direction::call) {
    Open& open = open_[message.connection];
    uint32_t& requested = open.requested[rdma::index(message.from)];
    requested = std::max(requested, message.header->credit);
    open.busy[rdma::index(message.from)].call(xid, message.at.time_ns);
  } else if (message.direction == flow::Direction::reply) {
    const size_t requester = rdma::index(rdma::other(message.from));
    Open& open = open_[message.connection];
    open.busy[requester].reply(xid, message.at.time_ns);
    if (!message.header->is_error()) {
      open.grants[requester].note(message.header->credit, message.at);
    }
  }
}

void Loads::note(const flow::Exchange& exchange) {
  const Carried bytes = carried(exchange);
  Open& open = open_[exchange.connection];
  open.bytes[rdma::index(exchange.requester)] += bytes.arguments;
  open.bytes[rdma::index(rdma::other(exchange.requester))] += bytes.results;
  // Without its Reply nobody knows what it met.
  if (const uint32_t noise = exchange.retransmissions + exchange.naks;
      noise != 0 && !exchange.connection->one_direction()) {
    open.noisiest.note({noise, began(exchange), exchange.connection->number, noise});
  }
  note_slow(open, exchange);
  if (exchange.timing.delivered_ns) {
    std::array<uint64_t, flow::kWaitedOns>& spent_ns = open.spent_ns[rdma::index(exchange.requester)];
    for (size_t i = 0; i < spent_ns.size(); ++i) {
      spent_ns[i] += static_cast<uint64_t>(std::max<int64_t>(exchange.timing.spent_ns[i], 0));
    }
  }
  note_refused(open, exchange);
  const auto& before = exchange.timing.retry_of;
  if (before && before->connection != exchange.connection->number) {
    note_taken_over(open, exchange);
  }
}

// That packets of it were refused by a receiver that was not ready: that of the Call, that of all others.
void Loads::note_refused(Open& open, const flow::Exchange& exchange) {
  const flow::Timing& timing = exchange.timing;
  const int64_t began_ns = began(exchange).time_ns;
  const rdma::Side responder = rdma::other(exchange.requester);
  const int64_t unanswered_ns = refused_unanswered_ns(exchange);
  const int64_t call_ns = timing.refused_call_ns + unanswered_ns,
                other_ns = timing.refused_ns - timing.refused_call_ns;
  const int64_t until_ns = base::saturating_add(began_ns, timing.delivered_ns.value_or(unanswered_ns));
  const auto note = [&](rdma::Side side, int64_t ns) {
    if (ns > 0) {
      const uint32_t disturbed = exchange.retransmissions + exchange.naks;
      open.refusing[rdma::index(side)].make().note(
          {ns, began(exchange), exchange.connection->number, disturbed}, {began_ns, until_ns});
    }
  };
  note(responder, call_ns);
  note(exchange.requester, other_ns);
  if (call_ns + other_ns > 0) {
    ++open.refused;
    open.refused_ns += static_cast<uint64_t>(call_ns + other_ns);
  }
}

// That the network slowed it down: by marks, or since pause frames stopped a link for much of its time.
void Loads::note_slow(Open& open, const flow::Exchange& exchange) {
  const flow::Slowdown& slowdown = exchange.slowdown;
  const int64_t took_ns = exchange.timing.delivered_ns ? *exchange.timing.delivered_ns : -1;
  const bool held = slowdown.pauses != 0 && slowdown.stopped_ns >= took_ns / kHeldShare && took_ns >= 0;
  if (!slowdown.marked() && !held) {
    return;
  }
  const Dearest::Entry entry{.evidence = {took_ns, began(exchange), exchange.connection->number, 0},
                             .operation = operation_of(exchange),
                             .callback = exchange.backward};
  ++open.congested;
  if (open.congested_longest.worth(took_ns)) {
    open.congested_longest.note(entry);
  }
  if (held) {
    ++open.held;
    open.held_ns += static_cast<uint64_t>(std::min(slowdown.stopped_ns, took_ns));
    open.held_when.note(entry.evidence.at.time_ns, base::saturating_add(entry.evidence.at.time_ns, took_ns),
                        Hit::of(entry.evidence));
    open.held_longest.note(entry.evidence);
  }
}

// A Call that was sent on another connection before.
void Loads::note_taken_over(Open& open, const flow::Exchange& exchange) {
  const flow::EarlierCall& earlier = *exchange.timing.retry_of;
  const int64_t since_ns = exchange.timeline.first_attempt.value_or(earlier.call.time_ns);
  ++open.taken_over;
  open.latest.note({exchange.call->time_ns - since_ns, *exchange.call, exchange.connection->number, 0});
  if (open.latest.at == *exchange.call) {
    open.taken_from = earlier.connection;
  }
}

void Loads::note(const track::Connection& connection, const timing::Transit& transit) {
  Open& open = open_[&connection];
  for (const rdma::Side side : {rdma::Side::a, rdma::Side::b}) {
    open.passages[rdma::index(side)] = transit.passage(side);
    open.outages[rdma::index(side)] = transit.outage(side);
  }
}

void Loads::note(const track::Connection& connection, const track::Congestion& congestion) {
  Open& open = open_[&connection];
  open.first_mark = open.first_mark.value_or(congestion.at);
  open.marked.note(congestion.at.time_ns, congestion.at.time_ns);
}

void Loads::close(const track::Connection& connection) {
  const auto found = open_.find(&connection);
  const Open open = found != open_.end() ? std::move(found->second) : Open();
  open_.erase(&connection);
  if (!connection.rpcrdma) {
    return;
  }
  const rdma::Side client = connection.client.value_or(rdma::Side::a), server = rdma::other(client);
  const auto end_load = [&](rdma::Side side) {
    const size_t i = rdma::index(side);
    return load_of(connection.end(side), open.bytes[i], open.passages[i], open.outages[i], open.refusing[i]);
  };
  keep({.number = connection.number,
        .transport = connection.transport,
        .roles_known = connection.client.has_value(),
        .client = end_load(client),
        .server = end_load(server),
        .credits = connection.end(client).credits,
        .requested_max = open.requested[rdma::index(client)],
        .first = connection.first_frame,
        .last = connection.last_frame,
        .busy_ns = open.busy[rdma::index(client)].total_ns(connection.last_frame.time_ns),
        .spent_ns = open.spent_ns[rdma::index(client)],
        .reduced = lasting_reduction(open.grants[rdma::index(client)], connection.end(server)),
        .first_mark = open.first_mark,
        .marked = open.marked,
        .pauses = connection.pauses,
        .congested = open.congested,
        .congested_longest = open.congested_longest,
        .held = open.held,
        .held_ns = open.held_ns,
        .held_when = open.held_when,
        .held_longest = open.held_longest,
        .noisiest = open.noisiest,
        .refused = open.refused,
        .refused_ns = open.refused_ns,
        .taken_over = open.taken_over,
        .taken_from = open.taken_from,
        .latest = open.latest,
        .connections = 1});
}

void Loads::take_over(const Loads& share, const Renumber& number) {
  for (Load load : share.closed_) {
    load.number = number(load.number);
    load.noisiest.connection = load.latest.connection = load.held_longest.connection = load.number;
    for (base::Rare<Refusing>* refusing : {&load.client.refusing, &load.server.refusing}) {
      if (Refusing* const made = refusing->get()) {
        made->longest.connection = load.number;
        made->when.renumber(number);
      }
    }
    load.taken_from = number(load.taken_from);
    load.congested_longest.renumber(number);
    load.held_when.renumber(number);
    keep(load);
  }
  add_to_rest(share.rest_);
}

void Loads::keep(const Load& load) {
  if (closed_.size() < kMaxLoads) {
    closed_.push_back(load);
  } else {
    add_to_rest(load);
  }
}

void Loads::add_to_rest(const Load& load) {
  add_end(rest_.client, load.client);
  add_end(rest_.server, load.server);
  rest_.congested += load.congested;
  rest_.connections += load.connections;
}

std::vector<const Load*> Loads::in_order() const {
  std::vector<const Load*> order;
  order.reserve(closed_.size());
  for (const Load& load : closed_) {
    order.push_back(&load);
  }
  std::sort(order.begin(), order.end(),
            [](const Load* x, const Load* y) { return uint32_t{x->number} < uint32_t{y->number}; });
  return order;
}

}  // namespace steertag::stats
