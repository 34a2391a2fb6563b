#include "incident/fates.h"

#include <algorithm>

#include "base/saturating.h"
#include "incident/recalls.h"
#include "nfs/sequence_flags.h"
#include "stats/operation.h"

namespace steertag::incident {
namespace {

// RNR NAKs and sequence errors are repaired.
bool ends_connections(rdma::Fault::Kind kind) {
  return kind != rdma::Fault::Kind::nak_sequence && kind != rdma::Fault::Kind::rnr;
}

// Its Call came later, and was answered: nothing had ended. Clocks of taps may differ a little.
bool went_on_after(const rdma::Fault& complaint, const stats::Rpc& rpc) {
  constexpr int64_t kSkewNs = 100'000'000;
  return rpc.called && !rpc.unanswered &&
         base::saturating_subtract(rpc.began.time_ns, complaint.at.time_ns) > kSkewNs;
}

void add(Waited& to, const Waited& more) {
  to.rpcs += more.rpcs;
  to.for_files += more.for_files;
  to.cost_ns = base::saturating_add(to.cost_ns, more.cost_ns);
  if (more.longest_ns > to.longest_ns) {
    to.longest_ns = more.longest_ns;
    to.call = more.call;
    to.xid = more.xid;
    to.operation = more.operation;
    to.accepted = more.accepted;
    to.obstacle = more.obstacle;
  }
}

}  // namespace

void Waited::note(const stats::Rpc& rpc, const Stamp& of, int64_t waited_ns) {
  add(*this, {.rpcs = 1,
              .cost_ns = waited_ns,
              .longest_ns = std::max<int64_t>(waited_ns, 1),
              .call = of,
              .xid = rpc.xid,
              .operation = stats::name(rpc.operation),
              .accepted = rpc.accepted,
              .obstacle = rpc.obstacle,
              .for_files = names_a_file(rpc.operation.op) ? 1U : 0U});
}

Fate* Fates::fate(track::ConnectionNumber number) {
  if (number == 0 || (fates_.size() == kMost && !fates_.contains(number))) {
    return nullptr;
  }
  return &fates_[number];
}

void Fates::name(const track::Connection& connection) {
  if (Fate* const of = fate(connection.number)) {
    of->up_ns = connection.last_frame.time_ns;
  }
}

void Fates::note(const flow::Incident& incident) {
  const rdma::Anomaly* const anomaly = incident.anomaly();
  if (anomaly != nullptr && anomaly->awaited) {
    if (Fate* const of = fate(incident.connection->number)) {
      of->damaged = {static_cast<uint32_t>(anomaly->expected), static_cast<uint32_t>(anomaly->found),
                     anomaly->at};
      of->damaged_of = incident.connection->end(anomaly->from).address;
    }
    return;
  }
  const rdma::Fault* const fault = incident.fault();
  if (fault == nullptr || !ends_connections(fault->kind)) {
    return;
  }
  if (Fate* const of = fate(incident.connection->number)) {
    of->complaint = *fault;
    of->complains = incident.connection->end(fault->from).address;
  }
}

void Fates::note(const stats::Rpc& rpc) {
  if (const std::optional<int64_t> waited_ns = rpc.waited_in_vain_ns()) {
    if (Fate* const of = fate(rpc.connection)) {
      (rpc.callback ? of->callbacks : of->open).note(rpc, rpc.began, *waited_ns);
    }
  }
  if (Fate* const of = rpc.callback ? nullptr : fate(rpc.connection)) {
    of->latest_ns = std::max(of->latest_ns, rpc.began.time_ns);
    if (of->complaint && went_on_after(*of->complaint, rpc)) {
      of->complaint.reset();
    }
    if (rpc.began.time_ns < of->first_ns && rpc.operation.op != "NULL") {
      of->first_ns = rpc.began.time_ns;
      of->first_operation = stats::name(rpc.operation);
    }
  }
  const std::optional<flow::EarlierCall>& earlier = rpc.timing.retry_of;
  if (earlier && earlier->connection != rpc.connection) {
    if (Fate* const of = fate(earlier->connection)) {
      of->moved.note(rpc, earlier->call, base::saturating_subtract(rpc.began.time_ns, rpc.first_ns));
    }
  }
}

void Fates::note(const flow::Exchange& exchange) {
  const std::optional<flow::EarlierCall>& earlier = exchange.timing.retry_of;
  if (earlier && earlier->connection != exchange.connection->number) [[unlikely]] {
    if (Fate* const of = fate(earlier->connection)) {
      of->left = !of->left || earlier->call.time_ns < of->left->time_ns ? earlier->call : of->left;
    }
  }
  const std::string& op = exchange.subject.op;
  if (!exchange.backward && (op == "CREATE_SESSION" || op == "BIND_CONN_TO_SESSION")) {
    const std::optional<BackChannel> agreed = reader_.read(exchange);
    if (Fate* const of = agreed ? fate(exchange.connection->number) : nullptr) {
      of->back_channel = agreed;
    }
  }
  const uint32_t flags = exchange.subject.sequence_flags & nfs::kSessionTrouble;
  const auto known = fates_.find(exchange.connection->number);
  if (exchange.backward || !exchange.reply ||
      (flags == 0 && (known == fates_.end() || known->second.trouble.flags == 0))) {
    return;
  }
  Fate* const of = fate(exchange.connection->number);
  if (of == nullptr || !exchange.subject.nfs_status) {
    return;
  }
  SessionTrouble& trouble = of->trouble;
  if (flags == 0) {
    trouble = {};
    return;
  }
  if (trouble.replies++ == 0) {
    trouble.since = *exchange.reply;
  }
  trouble.flags = flags;
}

void Fates::note(const track::Connection& connection, const flow::Loss& loss) {
  if (Fate* const of = fate(connection.number)) {
    LostPackets lost;
    lost.note(loss, loss.from == connection.client.value_or(rdma::Side::a));
    of->lost.note(loss.since.time_ns, loss.accepted.value_or(loss.resent.value_or(loss.since)).time_ns, lost);
    if (loss.what == flow::Loss::What::setup) {
      ++of->asked_again;
      of->asked = of->asked ? of->asked : loss.sent;
    }
  }
}

void Fates::close(const track::Connection& connection) {
  Fate* const of = connection.rpcrdma ? fate(connection.number) : nullptr;
  if (of == nullptr) {
    return;
  }
  const rdma::Side client = connection.client.value_or(rdma::Side::a);
  of->number = connection.number;
  of->client = connection.end(client).address;
  of->server = connection.end(rdma::other(client)).address;
  of->first = connection.first_frame;
  of->last = connection.last_frame;
  of->until_ns = connection.until_ns();
  of->icmp = connection.icmp;
  // What is missing may have agreed on something else.
  if (connection.one_direction() || connection.end(client).gaps != 0 ||
      connection.end(rdma::other(client)).gaps != 0) {
    of->back_channel.reset();
  }
  of->ended = connection.ended;
  of->server_has_ns = connection.end(rdma::other(client)).acknowledged_ns.value_or(INT64_MIN);
  if (connection.ended && connection.ended_by) {
    of->ended_by = connection.end(*connection.ended_by).address;
  }
  if (connection.rejection) {
    of->rejected = connection.rejection->reason;
  }
  if (connection.reset) {
    of->reset_by = connection.end(connection.reset->by).address;
    of->reset_at = connection.reset->at;
  }
}

void Fates::take_over(const Fates& share, const Renumber& number) {
  for (const auto& [theirs, fate_of] : share.fates_) {
    const track::ConnectionNumber ours = number(theirs);
    if (Fate* const of = fate(ours)) {
      *of = fate_of;
      of->number = ours;
    }
  }
}

}  // namespace steertag::incident
