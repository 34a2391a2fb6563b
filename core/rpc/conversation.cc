#include "rpc/conversation.h"

#include <algorithm>
#include <utility>

#include "base/fetch.h"

namespace steertag::rpc {
namespace {

constexpr size_t kKeptByTables = 2048;  // beside itself, in tables by connection

bool expected(const Settings& settings, std::optional<uint16_t> port) {
  return port && std::find(settings.ports.begin(), settings.ports.end(), *port) != settings.ports.end();
}

size_t held(const ConnectionState& state, Departures& departures, const Negotiations& negotiations) {
  const TransportListener* transport = state.listeners.transport;
  return sizeof(ConnectionState) + sizeof(Conversation) + kKeptByTables +
         (transport != nullptr ? transport->bytes() : 0) + state.listeners.messages->bytes() +
         departures.lingering().answered().bytes() + negotiations.bytes();
}

}  // namespace

Conversation::Conversation(ConnectionState& state)
    : state_(state),
      common_(state.common),
      assemblers_{Assembler(state.common.budget), Assembler(state.common.budget)},
      departures_(state_),
      exchanges_(state_, departures_),
      negotiations_(state_),
      operations_(state.connection, state.common.sink, state.common.settings, state.advertised),
      dialogue_(state_, exchanges_, departures_, negotiations_),
      drops_(state.common.drops),
      account_(state.common.budget) {
  account_.set(held(state_, departures_, negotiations_));
  for (const track::End& end : state.connection.ends) {
    if (expected(state.common.settings, end.port)) {
      dialogue_.trust(Claim::Trust::port);
    }
  }
}

Conversation::~Conversation() {
  if (!state_.connection.rpcrdma) {
    state_.common.numbering.note(Promise::broken, state_.connection.number, state_.connection.order);
  }
}

void Conversation::on_setup(Side half, const rdma::SetupHalf&, const Stamp&) {
  if (state_.connection.end(half).private_data.usable()) {
    dialogue_.trust(Claim::Trust::private_data);
  }
  if (expected(state_.common.settings, state_.connection.end(rdma::other(half)).port)) {
    dialogue_.trust(Claim::Trust::port);
  }
}

void Conversation::on_op(const rdma::RdmaOp& op) {
  if (dialogue_.state() == Claim::State::refused) {
    return;
  }
  if (common_.settings.for_rewriting) [[unlikely]] {
    common_.sink.on_piece(state_.connection, op);
  }
  state_.connection.carried = true;
  heed_drops(op.frames.back());
  if (op.kind == rdma::OpKind::other || op.immediate) [[unlikely]] {
    rdma::Anomaly foreign;
    foreign.kind = rdma::Anomaly::Kind::foreign;
    foreign.from = op.from;
    foreign.at = op.frames.back();
    foreign.operation = op.kind;
    foreign.id = op.id;
    on_anomaly(foreign);
  }
  if (!op.unreceived) [[likely]] {
    Exchange* const exchange = op.kind == rdma::OpKind::send ? nullptr : operations_.on_rdma(op);
    state_.listeners.tell(&TransportListener::on_piece, op, exchange);
  }
  if (op.kind != rdma::OpKind::send) {
    return;
  }
  if (const std::optional<Send> send = assemblers_[rdma::index(op.from)].add(op)) {
    op.unreceived ? dialogue_.on_unreceived(*send) : dialogue_.on_send(*send);
    if (exchanges_.reported_early()) [[unlikely]] {
      note_given_up(send->at());
    }
    if (measured_.due()) {
      account_.set(held(state_, departures_, negotiations_));
    }
  }
}

void Conversation::heed_drops(const Stamp& at) {
  if (drops_ == common_.drops) [[likely]] {
    return;
  }
  drops_ = common_.drops;
  state_.connection.last_drop_ns = at.time_ns;
  state_.listeners.tell(&TransportListener::on_gap);
  for (const Side from : {Side::a, Side::b}) {
    dialogue_.doubt(from, at);
  }
}

void Conversation::expect(rdma::OpKind kind, Side, Nearing step) const {
  if (kind == rdma::OpKind::other) {
    return;
  }
  if (step == Nearing::contents) {
    return state_.open.expect();
  }
  base::fetch(dialogue_);
  base::fetch(state_);
  base::fetch(exchanges_);
  if (kind == rdma::OpKind::send) {
    state_.listeners.messages->expect();
  } else {
    base::fetch(operations_);
  }
}

void Conversation::note_given_up(const Stamp& at) {
  for (const Side from : {Side::a, Side::b}) {
    dialogue_.doubt(from, at);
  }
  if (state_.connection.rpcrdma && !std::exchange(given_up_, true)) {
    rdma::Anomaly reported;
    reported.kind = rdma::Anomaly::Kind::given_up;
    reported.at = at;
    on_anomaly(reported);
  }
}

void Conversation::shrink() {
  for (Assembler& assembler : assemblers_) {
    assembler.shrink();
  }
  state_.advertised.shrink();
}

void Conversation::on_fault(const rdma::Fault& fault) {
  heed_drops(fault.at);
  track::End& end = state_.connection.end(fault.from);
  switch (fault.kind) {
    case rdma::Fault::Kind::rnr:
      note_rnr_nak(end, fault.at);
      ++state_.disturbances.naks;
      break;
    case rdma::Fault::Kind::terminate:
      ++end.terminates;
      break;
    default:
      ++end.naks;
      ++state_.disturbances.naks;
      break;
  }
  state_.listeners.tell(&TransportListener::on_fault, fault);
  const bool again = last_fault_ && last_fault_->kind == fault.kind && last_fault_->from == fault.from &&
                     last_fault_->psn == fault.psn && fault.kind != rdma::Fault::Kind::terminate;
  last_fault_ = fault;
  if (!again) {
    dialogue_.report({&state_.connection, fault, dialogue_.invalidation(rdma::other(fault.from))});
  }
}

void Conversation::on_gap(Side from, const Stamp& at) {
  assemblers_[rdma::index(from)].drop();
  state_.listeners.tell(&TransportListener::on_gap);
  dialogue_.doubt(from, at);
}

void Conversation::on_retransmission(Side from, const Stamp& at) {
  ++state_.disturbances.retransmissions;
  state_.listeners.tell(&TransportListener::on_retransmission, from, at);
}

rdma::Arrivals* Conversation::arrivals() {
  TransportListener* const hears = state_.listeners.transport;
  return hears != nullptr ? hears->arrivals() : nullptr;
}

void Conversation::on_acknowledged(Side by, const Stamp& at) {
  state_.listeners.messages->on_acknowledged(by, at);
}

void Conversation::on_anomaly(const rdma::Anomaly& anomaly) {
  heed_drops(anomaly.at);
  dialogue_.report({.connection = &state_.connection, .what = anomaly});
}

void Conversation::on_end(rdma::EndReason, const Stamp& at) {
  heed_drops(at);
  finish(Departures::Ended::connection);
}

void Conversation::finish(Departures::Ended what) {
  heed_drops(state_.connection.last_frame);
  if (state_.connection.rpcrdma) {
    departures_.finish(what);
    negotiations_.finish(what == Departures::Ended::connection);
  }
}

}  // namespace steertag::rpc
