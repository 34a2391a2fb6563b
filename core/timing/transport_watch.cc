#include "timing/transport_watch.h"

#include <algorithm>

#include "timing/timekeeper.h"

namespace steertag::timing {

// Whether the request to connect was lost, or its answer, or that was slow, is not known.
void TransportWatch::on_setup_again(const rdma::SetupAgain& again) {
  flow::Loss loss;
  loss.from = loss.numbered_by = again.from;
  loss.what = flow::Loss::What::setup;
  loss.where = flow::Loss::Where::unknown;
  loss.first = again.number;
  loss.packets = again.accepted ? 1 : 0;
  loss.bytes = again.accepted ? again.bytes : 0;
  loss.sent = again.first;
  loss.since = again.first;
  loss.timer_ns = std::max<int64_t>(again.at.time_ns - again.before.time_ns, 0);
  loss.resent = again.at;
  loss.resent_packets = 1;
  loss.accepted = again.accepted;
  losses_.report(loss);
}

size_t TransportWatch::bytes() const {
  return sizeof(Timekeeper) + transit_.bytes() + losses_.bytes();
}

void TransportWatch::on_piece(const rdma::RdmaOp& op, Exchange* exchange) {
  transit_.on_piece(op);
  losses_.fresh(op);
  const bool was_late = !late_.again && late_.at == op.frames.back();
  if (Sequences* const sequences = transit_.sequences.get(); sequences != nullptr && !was_late) {
    sequences->sent(op);
  }
  if (exchange != nullptr) {
    on_rdma(*exchange, op);
  }
}

void TransportWatch::on_rdma(Exchange& exchange, const rdma::RdmaOp& op) {
  Timeline& t = exchange.timeline;
  const int64_t now_ns = op.frames.back().time_ns;
  const bool late = transit_.sent(op.from).was_late(op.frames.front());
  t.used = true;
  transit_.imply_call(exchange, now_ns);
  switch (op.kind) {
    case rdma::OpKind::write:
      t.write_late |= late && !t.first_write;
      t.first_write = t.first_write.value_or(now_ns);
      t.last_write = now_ns;
      t.writes_end = op.end_position;
      break;
    case rdma::OpKind::read_request:
      t.read_late |= late && !t.first_read;
      t.first_read = t.first_read.value_or(now_ns);
      t.read_waits = t.read_waits.value_or(now_ns);
      break;
    case rdma::OpKind::read_response:
      if (t.read_waits && op.first) {
        const int64_t lost_ns =
            std::max(transit_.responses(op.from).waiting().waits(*t.read_waits, now_ns).lost_ns,
                     transit_.sent(rdma::other(op.from)).waiting().waits(*t.read_waits, now_ns).lost_ns);
        t.requester_ns += std::max<int64_t>(now_ns - *t.read_waits - transit_.trip_ns(op.from) - lost_ns, 0);
        t.read_waits.reset();
      }
      t.last_response = now_ns;
      t.reads_end = op.end_position;
      break;
    default:
      break;
  }
}

void TransportWatch::on_fault(const rdma::Fault& fault) {
  transit_.on_fault(fault);
  losses_.fault(fault);
  if (Sequences* const sequences = transit_.sequences.get()) {
    sequences->fault(fault);
  }
  if (fault.kind != rdma::Fault::Kind::terminate) {
    const bool rnr = fault.kind == rdma::Fault::Kind::rnr;
    disturb(rnr ? Disturbance::Kind::rnr_nak : Disturbance::Kind::nak, fault.from, fault.at);
  }
}

void TransportWatch::on_retransmission(Side from, const Stamp& at) {
  const bool told = late_.again && late_.from == from && late_.at == at;
  disturb(Disturbance::Kind::sent_again, from, at, told ? late_.since : std::nullopt);
}

void TransportWatch::on_room(Side by, bool room, const Stamp& at) {
  transit_.sent(rdma::other(by)).waiting().on_room(room, at.time_ns);
  if (!room) {
    disturb(Disturbance::Kind::zero_window, by, at);
  }
}

void TransportWatch::disturb(Disturbance::Kind kind, Side from, const Stamp& at,
                             const std::optional<Stamp>& original) const {
  state_.common.sink.on_disturbance(state_.connection, {kind, from, at, original});
}

}  // namespace steertag::timing
