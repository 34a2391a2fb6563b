#include "flow/conversation.h"

#include <algorithm>
#include <utility>

#include "base/fetch.h"

namespace steertag::flow {

namespace {

// Beside itself, in tables by connection: of the Analyzer; and of those who hear for_rules what it reports,
// too.
constexpr size_t kKeptByTables = 512;
constexpr size_t kKeptByListeners = 4096;

size_t held(const History& history, size_t others, const Settings& settings) {
  return sizeof(Conversation) + history.bytes() + others +
         (settings.for_rules ? kKeptByListeners : kKeptByTables);
}

bool expected(const Settings& settings, std::optional<uint16_t> port) {
  return port && std::find(settings.ports.begin(), settings.ports.end(), *port) != settings.ports.end();
}

void report(const Disturbance& disturbance, const track::Connection& connection, Common& common) {
  if (common.settings.for_reports) {
    common.sink.on_disturbance(connection, disturbance);
  }
}

}  // namespace

Conversation::Conversation(track::Connection& connection, Common& common)
    : connection_(connection),
      common_(common),
      assemblers_{Assembler(common.budget), Assembler(common.budget)},
      advertised_(connection, common),
      exchanges_(connection, common, advertised_),
      history_(connection, common, exchanges_, advertised_),
      operations_(connection, common, advertised_, exchanges_.departures().times()),
      dialogue_(connection, common, advertised_, exchanges_, history_),
      account_(common.budget) {
  account_.set(held(history_, 0, common_.settings));
  for (const track::End& end : connection.ends) {
    if (expected(common.settings, end.port)) {
      dialogue_.trust(Claim::Trust::port);
    }
  }
}

Conversation::~Conversation() {
  if (!connection_.rpcrdma) {
    common_.numbering.note(Promise::broken, connection_.number, connection_.order);
  }
}

void Conversation::on_setup(Side half, const rdma::SetupHalf&, const Stamp&) {
  if (connection_.end(half).private_data.usable()) {
    dialogue_.trust(Claim::Trust::private_data);
  }
  if (expected(common_.settings, connection_.end(rdma::other(half)).port)) {
    dialogue_.trust(Claim::Trust::port);
  }
}

void Conversation::on_op(const rdma::RdmaOp& op) {
  if (dialogue_.state() == Claim::State::refused) {
    return;
  }
  if (common_.settings.for_rewriting) [[unlikely]] {
    common_.sink.on_piece(connection_, op);
  }
  dialogue_.heed_drops(op.frames.back());
  if (common_.settings.for_reports && !op.unreceived) {
    exchanges_.departures().times().transit().on_piece(op);
  }
  if (op.kind == rdma::OpKind::other || op.immediate) [[unlikely]] {
    rdma::Anomaly foreign;
    foreign.kind = rdma::Anomaly::Kind::foreign;
    foreign.from = op.from;
    foreign.at = op.frames.back();
    foreign.operation = op.kind;
    foreign.id = op.id;
    on_anomaly(foreign);
  }
  if (op.kind != rdma::OpKind::send) {
    if (!op.unreceived) {
      operations_.on_rdma(op);
    }
    return;
  }
  if (const std::optional<Send> send = assemblers_[rdma::index(op.from)].add(op)) {
    op.unreceived ? dialogue_.on_unreceived(*send) : dialogue_.on_send(*send);
    if (exchanges_.reported_early()) [[unlikely]] {
      note_given_up(send->at());
    }
    if (measured_.due()) {
      Departures& departures = exchanges_.departures();
      const size_t others = departures.times().transit().bytes() + departures.lingering().answered().bytes() +
                            exchanges_.negotiations().bytes();
      account_.set(held(history_, others, common_.settings));
    }
  }
}

void Conversation::expect(rdma::OpKind kind, Side, Nearing step) const {
  if (kind == rdma::OpKind::other) {
    return;
  }
  if (step == Nearing::contents) {
    return exchanges_.expect();
  }
  base::fetch(dialogue_);
  base::fetch(advertised_);
  base::fetch(exchanges_);
  if (kind == rdma::OpKind::send) {
    base::fetch(history_);
  } else {
    base::fetch(operations_);
  }
}

void Conversation::note_given_up(const Stamp& at) {
  for (const Side from : {Side::a, Side::b}) {
    dialogue_.doubt(from, at);
  }
  if (connection_.rpcrdma && !std::exchange(given_up_, true)) {
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
  advertised_.shrink();
}

void Conversation::on_fault(const rdma::Fault& fault) {
  dialogue_.heed_drops(fault.at);
  track::End& end = connection_.end(fault.from);
  switch (fault.kind) {
    case rdma::Fault::Kind::rnr:
      ++end.rnr_naks;
      report({Disturbance::Kind::rnr_nak, fault.from, fault.at}, connection_, common_);
      ++exchanges_.departures().disturbances().naks;
      break;
    case rdma::Fault::Kind::terminate:
      ++end.terminates;
      break;
    default:
      ++end.naks;
      report({Disturbance::Kind::nak, fault.from, fault.at}, connection_, common_);
      ++exchanges_.departures().disturbances().naks;
      break;
  }
  history_.note_fault(fault);
  exchanges_.departures().times().transit().on_fault(fault);
  const bool again = last_fault_ && last_fault_->kind == fault.kind && last_fault_->from == fault.from &&
                     last_fault_->psn == fault.psn && fault.kind != rdma::Fault::Kind::terminate;
  last_fault_ = fault;
  if (!again) {
    dialogue_.report({&connection_, fault, dialogue_.invalidation(rdma::other(fault.from)),
                      newest_heard(history_.characteristics()), history_.flight_ns()});
  }
}

void Conversation::on_gap(Side from, const Stamp& at) {
  assemblers_[rdma::index(from)].drop();
  exchanges_.departures().times().transit().on_gap();
  dialogue_.doubt(from, at);
}

void Conversation::on_retransmission(Side from, const Stamp& at) {
  ++exchanges_.departures().disturbances().retransmissions;
  report({Disturbance::Kind::sent_again, from, at}, connection_, common_);
}

rdma::Arrivals* Conversation::arrivals() {
  return common_.settings.for_reports ? &exchanges_.departures().times() : nullptr;
}

void Conversation::on_acknowledged(Side by, const Stamp& at) {
  if (common_.settings.for_rules) {
    history_.note_acknowledged(by, at);
  }
}

void Conversation::on_anomaly(const rdma::Anomaly& anomaly) {
  dialogue_.heed_drops(anomaly.at);
  dialogue_.report({.connection = &connection_,
                    .what = anomaly,
                    .configured = history_.ground().sizes.configured(rdma::other(anomaly.from))});
}

void Conversation::on_end(rdma::EndReason, const Stamp& at) {
  dialogue_.heed_drops(at);
  if (connection_.rpcrdma) {
    exchanges_.departures().finish(Departures::Ended::connection);
    exchanges_.negotiations().finish(true);
  }
}

void Conversation::finish() {
  dialogue_.heed_drops(connection_.last_frame);
  if (connection_.rpcrdma) {
    exchanges_.departures().finish(Departures::Ended::capture);
    exchanges_.negotiations().finish(false);
  }
}

}  // namespace steertag::flow
