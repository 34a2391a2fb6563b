// The Engine's responses: acknowledgements, NAKs, Read Responses.
#include <algorithm>

#include "rdma/roce/engine.h"
#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

void Engine::on_response(Side from, const Packet& packet, const Stamp& at) {
  const Side requester = other(from);
  if (is_read_response(packet.opcode)) {
    deliver_response(from, packet, at);
    return;
  }
  if (packet.aeth && !packet.aeth->is_ack()) {
    // The PSN complained of was not accepted, everything before it was.
    confirm(requester, psn_add(packet.psn, kPsnMask), at);
    complain(from, packet, at);
    return;
  }
  confirm(requester, packet.psn, at);
}

// The peer has accepted all requests of `requester` through `psn`.
void Engine::confirm(Side requester, uint32_t psn, const Stamp& at) {
  Flow& f = flow(requester);
  if (f.synced && f.unsized_read) {
    // The Read's own Responses and the ACK of a later request reach into its range.
    if (path_mtu_ == 0) {
      return;
    }
    size_pending_read(f, psn);
  }
  if (f.synced && psn_distance(psn, f.confirmed) >= 0) {
    const bool news = f.confirmed != psn_add(psn, 1);
    f.confirmed = psn_add(psn, 1);
    if (news && f.confirmed == f.expected) {
      listener_.on_acknowledged(other(requester), at);
    }
  }
  if (!f.synced || psn_distance(psn, f.expected) < 0) {
    return;
  }
  if (!f.acknowledged || psn_distance(psn, *f.acknowledged) > 0) {
    f.acknowledged = psn;
    f.acknowledged_at = at;
  }
  settle(requester, at);
}

void Engine::deliver_response(Side from, const Packet& packet, const Stamp& at) {
  const Side requester = other(from);
  OutstandingRead* read = flow(requester).reads.find(packet.psn, mtu_or_least());
  if (read == nullptr) {
    if (flow(requester).reads.overruns(packet.psn, mtu_or_least())) {
      return;
    }
    confirm(requester, packet.psn, at);  // answers a Request that was not seen, or one long forgotten
    return;
  }
  // What is confirmed may set held Read Requests free, and they move the others.
  confirm(requester, read->first_psn, at);
  read = flow(requester).reads.find(packet.psn, mtu_or_least());
  if (read == nullptr) {
    return;
  }
  const uint32_t place = static_cast<uint32_t>(psn_distance(packet.psn, read->first_psn));
  uint64_t offset = 0;
  if (path_mtu_ != 0) {
    offset = uint64_t{place} * path_mtu_;
  } else if (place != 0) {
    // Without a path MTU no First or Middle was seen yet: this one ends the Read.
    offset = read->memory.length - std::min(packet.payload_length, read->memory.length);
  }
  if (!watch_response(from, packet, place, offset, *read, at)) {
    return;
  }
  if (offset + packet.payload_length > read->memory.length ||
      read->delivered.add(offset, packet.payload_length) == 0) {
    if (packet.payload_length != 0) {
      listener_.on_repeat(from, at);
    }
    return;
  }
  watch_size(from, packet, at);
  if (read->done()) {
    flow(requester).reads.complete(*read, at);
    watch_depth(requester, *read);
  }
  RdmaOp op;
  op.kind = OpKind::read_response;
  op.from = from;
  op.id = read->id;
  op.first = offset == 0;
  op.last = offset + packet.payload_length == read->memory.length;
  op.memory = {read->memory.handle, read->memory.offset + offset, packet.payload_length};
  op.payload = packet.payload;
  op.payload_length = packet.payload_length;
  op.frames = {&at, 1};
  tell(op);
}

void Engine::complain(Side from, const Packet& packet, const Stamp& at) {
  Fault fault;
  fault.from = from;
  fault.psn = packet.psn;
  fault.of_invalidation = flow(other(from)).invalidation == packet.psn;
  fault.at = at;
  if (packet.aeth->is_rnr_nak()) {
    fault.kind = Fault::Kind::rnr;
  } else {
    switch (packet.aeth->code()) {
      case 0:
        fault.kind = Fault::Kind::nak_sequence;
        break;
      case 1:
        fault.kind = Fault::Kind::nak_invalid_request;
        break;
      case 2:
        fault.kind = Fault::Kind::nak_remote_access;
        break;
      default:
        fault.kind = Fault::Kind::nak_remote_operational;
        break;
    }
    fault.code = packet.aeth->code();
    fault.refused = flow(other(from)).copies.operation(packet.psn);
  }
  listener_.on_fault(fault);
}

void Engine::finish(const Stamp& at) {
  // Causes that did not come by now are missing; both sides may wait for each other.
  const Stamp never{.number = at.number, .file = at.file, .tap = at.tap, .time_ns = INT64_MAX};
  for (int round = 0; round < 2; ++round) {
    release(Side::a, never);
    release(Side::b, never);
  }
  for (const Side side : {Side::a, Side::b}) {
    Flow& f = flow(side);
    while (!f.held.empty() && !late(f.held.front()->at)) {
      give_up_hole(side, f.held.front()->packet.psn, at, std::nullopt);
      drain(side);
    }
    tell_unreceived(side);
    if (f.acknowledged && psn_distance(*f.acknowledged, f.expected) >= 0) {
      give_up_hole(side, psn_add(*f.acknowledged, 1), at, f.acknowledged_at);
      f.acknowledged.reset();
    }
    tell_missing(side);
    if (const std::optional<Anomaly> unfilled = f.icrc.finish()) {
      listener_.on_anomaly(*unfilled);
    }
  }
}

}  // namespace steertag::rdma::roce
