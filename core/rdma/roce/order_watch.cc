#include "rdma/roce/order_watch.h"

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

using Kind = Anomaly::Kind;

OpKind kind_of(Opcode opcode) {
  switch (shape(opcode).operation) {
    case Operation::send:
      return OpKind::send;
    case Operation::write:
      return OpKind::write;
    case Operation::read_request:
      return OpKind::read_request;
    case Operation::read_response:
      return OpKind::read_response;
    default:
      return OpKind::other;
  }
}

Anomaly OrderWatch::found(Kind kind, const Packet& packet, const Stamp& at) const {
  Anomaly anomaly;
  anomaly.kind = kind;
  anomaly.from = from_;
  anomaly.at = at;
  anomaly.position = packet.psn;
  return anomaly;
}

void OrderWatch::order(const Running& running, const Packet& packet, const Stamp& at) {
  const OpKind kind = kind_of(packet.opcode);
  const bool opens = starts_message(packet.opcode);
  const bool goes_on = running.active && !opens && running.kind == kind;
  if (opens && kind == cut_) {
    cut_ = OpKind::other;
  }
  if (aware_ && running.active && !goes_on) {
    Anomaly cut = found(Kind::cut_off, packet, at);
    cut.related = running.at;
    cut.operation = running.kind;
    cut.id = running.id;
    cut.expected = running.memory.length;
    cut.found = running.done;
    listener_.on_anomaly(cut);
    cut_ = running.kind;
  } else if (aware_ && !running.active && !opens && kind != cut_) {
    Anomaly orphan = found(Kind::orphan, packet, at);
    orphan.operation = kind;
    listener_.on_anomaly(orphan);
  }
  aware_ = ends_message(packet.opcode) || opens || (goes_on && aware_);
}

// The first inner packet of a direction sets its measure: what the REQ says is a
// proposal, and each QP has a path MTU of its own.
void OrderWatch::size(const Packet& packet, const Stamp& at) {
  if (!is_first(packet.opcode) && !is_middle(packet.opcode)) {
    return;
  }
  if (packet.pad == 0 && packet.payload_length == inner_size_) [[likely]] {
    return;
  }
  Anomaly odd = found(Kind::inner_pad, packet, at);
  odd.operation = kind_of(packet.opcode);
  if (packet.pad != 0) {
    odd.found = packet.pad;
  } else if (inner_size_ == 0 && PathMtu::is_one(packet.payload_length)) {
    inner_size_ = packet.payload_length;
    odd.kind = Kind::inner_size;
    odd.found = packet.payload_length;
  } else {
    odd.kind = Kind::packet_size;
    odd.expected = inner_size_;
    odd.found = packet.payload_length;
  }
  listener_.on_anomaly(odd);
}

void OrderWatch::write_end(const Running& running, const Packet& packet, const Stamp& at) {
  const uint64_t bytes = uint64_t{running.done} + packet.payload_length;
  if (bytes != running.memory.length) {
    Anomaly length = found(Kind::write_length, packet, at);
    length.related = running.at;
    length.operation = OpKind::write;
    length.id = running.id;
    length.expected = running.memory.length;
    length.found = bytes;
    listener_.on_anomaly(length);
  }
}

OrderWatch::Fit OrderWatch::response(OutstandingRead& read, uint32_t place, uint64_t offset,
                                     const PathMtu& mtu, const Packet& packet, const Stamp& at) {
  if (read.misfit) {
    return Fit::misfit;
  }
  const bool sure = mtu.shown() || (place == 0 && is_only(packet.opcode));
  if (!sure || read.restarted) {
    return Fit::fits;
  }
  const bool last_place = place + 1 == psn_count(read.memory.length, mtu.bytes_or_least());
  const uint64_t end = offset + packet.payload_length;
  const bool more = end > read.memory.length || (last_place && !ends_message(packet.opcode));
  const bool less = ends_message(packet.opcode) && end < read.memory.length;
  if (!more && !less) {
    return Fit::fits;
  }
  Anomaly length = found(more ? Kind::read_long : Kind::read_short, packet, at);
  length.related = read.at;
  length.operation = OpKind::read_response;
  length.id = read.id;
  length.expected = read.memory.length;
  length.found = end;
  listener_.on_anomaly(length);
  read.misfit = true;
  return end <= read.memory.length ? Fit::fits : Fit::misfit;
}

}  // namespace steertag::rdma::roce
