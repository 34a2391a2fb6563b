// What the Engine notices about the packets that it accepts, and about those
// that it does not: the rules of InfiniBand's reliable connection, as far as a
// tap can see them broken.
#include <algorithm>

#include "rdma/roce/engine.h"
#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

namespace {

using Kind = Anomaly::Kind;

Anomaly found(Kind kind, Side from, const Packet& packet, const Stamp& at) {
  Anomaly anomaly;
  anomaly.kind = kind;
  anomaly.from = from;
  anomaly.at = at;
  anomaly.position = packet.psn;
  return anomaly;
}

bool is_mtu(uint32_t bytes) {
  return bytes >= 256 && bytes <= 4096 && (bytes & (bytes - 1)) == 0;
}

}  // namespace

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

// First, Middle…, Last; nothing comes between them.
void Engine::watch_order(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  const Running& running = f.running;
  const OpKind kind = kind_of(packet.opcode);
  const bool opens = starts_message(packet.opcode);
  const bool goes_on = running.active && !opens && running.kind == kind;
  if (opens && kind == f.cut) {
    f.cut = OpKind::other;
  }
  if (f.aware && running.active && !goes_on) {
    Anomaly cut = found(Kind::cut_off, from, packet, at);
    cut.related = running.at;
    cut.operation = running.kind;
    cut.id = running.id;
    cut.expected = running.memory.length;
    cut.found = running.done;
    listener_.on_anomaly(cut);
    f.cut = running.kind;
  } else if (f.aware && !running.active && !opens && kind != f.cut) {
    Anomaly orphan = found(Kind::orphan, from, packet, at);
    orphan.operation = kind;
    listener_.on_anomaly(orphan);
  }
  f.aware = ends_message(packet.opcode) || opens || (goes_on && f.aware);
}

// The first inner packet of a direction sets its measure: what the REQ says is a
// proposal, and each QP has a path MTU of its own.
void Engine::watch_size(Side from, const Packet& packet, const Stamp& at) {
  if (!is_first(packet.opcode) && !is_middle(packet.opcode)) {
    return;
  }
  Flow& f = flow(from);
  if (packet.pad == 0 && packet.payload_length == f.inner_size) [[likely]] {
    return;
  }
  Anomaly odd = found(Kind::inner_pad, from, packet, at);
  odd.operation = kind_of(packet.opcode);
  if (packet.pad != 0) {
    odd.found = packet.pad;
  } else if (f.inner_size == 0 && is_mtu(packet.payload_length)) {
    f.inner_size = packet.payload_length;
    return;
  } else {
    odd.kind = Kind::packet_size;
    odd.expected = f.inner_size;
    odd.found = packet.payload_length;
  }
  listener_.on_anomaly(odd);
}

void Engine::watch_write_end(Side from, const Packet& packet, const Stamp& at) {
  const Running& running = flow(from).running;
  const uint64_t bytes = uint64_t{running.done} + packet.payload_length;
  if (bytes != running.memory.length) {
    Anomaly length = found(Kind::write_length, from, packet, at);
    length.related = running.at;
    length.operation = OpKind::write;
    length.id = running.id;
    length.expected = running.memory.length;
    length.found = bytes;
    listener_.on_anomaly(length);
  }
}

// Does the Response in `packet`, the one at `place` in `read`, fit the Request?
// PSNs tell, so packets that are missing do not matter. A Read that was requested
// again is left alone: which Request a Response answers is then a guess.
bool Engine::watch_response(Side from, const Packet& packet, uint32_t place, uint64_t offset,
                            OutstandingRead& read, const Stamp& at) {
  const bool sure = path_mtu_shown_ || (place == 0 && is_only(packet.opcode));
  if (!sure || read.restarted || read.misfit) {
    return !read.misfit;
  }
  const bool last_place = place + 1 == psn_count(read.memory.length, mtu_or_least());
  const uint64_t end = offset + packet.payload_length;
  const bool more = end > read.memory.length || (last_place && !ends_message(packet.opcode));
  const bool less = ends_message(packet.opcode) && end < read.memory.length;
  if (!more && !less) {
    return true;
  }
  Anomaly length = found(more ? Kind::read_long : Kind::read_short, from, packet, at);
  length.related = read.at;
  length.operation = OpKind::read_response;
  length.id = read.id;
  length.expected = read.memory.length;
  length.found = end;
  listener_.on_anomaly(length);
  read.misfit = true;
  return end <= read.memory.length;
}

// `read` is complete, and so is the count of those that were outstanding with it.
void Engine::watch_depth(Side requester, const OutstandingRead& read) {
  Flow& f = flow(requester);
  if (read.earlier + 1 <= f.reads_peak) {
    return;
  }
  f.reads_peak = read.earlier + 1;
  Anomaly peak;
  peak.kind = Kind::reads_outstanding;
  peak.from = requester;
  peak.at = read.at;
  peak.related = read.earlier_done;
  peak.operation = OpKind::read_request;
  peak.id = read.id;
  peak.position = read.first_psn;
  peak.found = f.reads_peak;
  listener_.on_anomaly(peak);
}

void Engine::remember(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  if (const std::optional<Copy> copy = Copy::of(packet, at)) {
    f.copies.add(*copy, f.confirmed);
  }
}

void Engine::compare(Side from, const std::optional<Copy>& first, const Packet& second, const Stamp& at) {
  const std::optional<Copy> copy = Copy::of(second, at);
  if (!first || !copy || copy->same_as(*first)) {
    return;
  }
  Anomaly changed = found(Kind::changed_repeat, from, second, at);
  changed.related = first->at;
  changed.operation = kind_of(second.opcode);
  changed.expected = first->hash();
  changed.found = copy->hash();
  changed.acknowledged = psn_distance(second.psn, flow(from).confirmed) < 0;
  changed.intact = first->intact && copy->intact;
  listener_.on_anomaly(changed);
}

void Engine::check(Side from, const IcrcCheck& icrc, const Stamp& at) {
  Packet packet;
  packet.icrc = icrc;
  if (!packet.damaged()) {
    return;
  }
  if (const std::optional<Anomaly> wrong = flow(from).icrc.add(from, packet, at)) {
    listener_.on_anomaly(*wrong);
  }
}

// The receiver drops a packet with a wrong ICRC. Before a right one was seen of
// this side, the tap is doubted instead.
bool Engine::drops(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  if (const std::optional<Anomaly> wrong = f.icrc.add(from, packet, at)) {
    listener_.on_anomaly(*wrong);
  }
  if (!packet.damaged() || !f.icrc.proven()) {
    return false;
  }
  if (is_request(packet.opcode)) {
    if (f.dropped.size() == kMaxDropped) {
      f.dropped.erase(f.dropped.begin());
    }
    f.dropped.push_back(packet.psn);
  }
  return true;
}

void Engine::tell_missing(Side from) {
  Flow& f = flow(from);
  if (!f.missing) {
    return;
  }
  const Missing hole = *f.missing;
  f.missing.reset();
  const int32_t packets = psn_distance(hole.end, hole.first);
  const auto inside = [&](uint32_t psn) {
    return psn_distance(psn, hole.first) >= 0 && psn_distance(hole.end, psn) > 0;
  };
  // Those that were dropped for their ICRC are in the capture.
  if (packets <= std::count_if(f.dropped.begin(), f.dropped.end(), inside)) {
    return;
  }
  Anomaly missing;
  missing.kind = Kind::missing;
  missing.from = from;
  missing.at = hole.at;
  missing.related = hole.proof;
  missing.position = missing.expected = hole.first;
  missing.found = hole.end;
  missing.count = static_cast<uint64_t>(packets);
  listener_.on_anomaly(missing);
}

}  // namespace steertag::rdma::roce
