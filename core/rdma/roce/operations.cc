#include "rdma/roce/operations.h"

#include <algorithm>

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

Operations::Taken Operations::accept(const Packet& packet, const Stamp& at) {
  watch_.order(running_, packet, at);
  switch (shape(packet.opcode).operation) {
    case Operation::send:
      accept_data(packet, OpKind::send, at);
      return {};
    case Operation::write:
      accept_data(packet, OpKind::write, at);
      return {};
    case Operation::read_request:
      return accept_read(packet, at);
    default:
      accept_other(at);
      return {};
  }
}

void Operations::accept_late(const Packet& packet, const Stamp& at) {
  const Running running = running_;
  const bool aware = watch_.aware();
  running_ = {};
  watch_.set_aware(false);
  accept(packet, at);
  running_ = running;
  watch_.set_aware(aware);
}

void Operations::interrupt() {
  running_.interrupted |= running_.active;
  running_.active = false;
  watch_.set_aware(false);
}

void Operations::forget() {
  running_ = {};
  reads_.clear();
  watch_.forget();
}

void Operations::accept_other(const Stamp& at) {
  running_ = {};
  RdmaOp op;
  op.kind = OpKind::other;
  op.from = from_;
  op.id = ++started_;
  op.frames = {&at, 1};
  outlet_.report(op);
}

void Operations::accept_data(const Packet& packet, OpKind kind, const Stamp& at) {
  const bool opens = starts_message(packet.opcode);
  const bool ends = ends_message(packet.opcode);
  if (opens) {
    if (!begin(packet, kind, at)) {
      return;
    }
  } else if (running_.active ? running_.kind != kind : !resume(packet)) {
    running_ = {};  // its beginning is not in the capture
    return;
  }
  watch_.size(packet, at);
  if (ends && kind == OpKind::write) {
    watch_.write_end(running_, packet, at);
  }
  RdmaOp op;
  op.kind = kind;
  op.from = from_;
  op.id = running_.id;
  op.first = opens;
  op.last = ends;
  op.message_offset = running_.done;
  if (kind == OpKind::write) {
    op.memory = {running_.memory.handle, running_.memory.offset + running_.done, packet.payload_length};
    if (opens) {
      op.announced_length = running_.memory.length;
    }
  }
  if (packet.ieth) {
    op.invalidate = packet.ieth->r_key;
    invalidation_ = packet.psn;
  }
  op.solicited = packet.solicited;
  op.immediate = packet.immediate.has_value();
  op.payload = packet.payload;
  op.payload_length = packet.payload_length;
  op.frames = {&at, 1};
  running_.done += packet.payload_length;
  running_.active = !ends;
  outlet_.report(op);
}

bool Operations::begin(const Packet& packet, OpKind kind, const Stamp& at) {
  running_ = {};
  running_.kind = kind;
  running_.active = true;
  running_.id = ++started_;
  running_.first_psn = packet.psn;
  running_.at = at;
  if (kind != OpKind::write) {
    return true;
  }
  if (!packet.reth) {  // cut by the snaplen: where it goes to is unknown
    running_.active = false;
    watch_.set_aware(false);
    outlet_.listener.on_gap(from_, at);
    return false;
  }
  running_.memory = {packet.reth->r_key, packet.reth->va, packet.reth->length};
  return true;
}

// A hole in a Write hides bytes, not where the others go to: packets are counted,
// and each but the last holds as many bytes as the path MTU.
bool Operations::resume(const Packet& packet) {
  const PathMtu& mtu = outlet_.path_mtu;
  if (!running_.interrupted || running_.kind != OpKind::write || !is_write(packet.opcode) || !mtu.shown()) {
    return false;
  }
  const auto place = static_cast<uint32_t>(std::max(psn_distance(packet.psn, running_.first_psn), 0));
  const uint32_t packets = psn_count(running_.memory.length, mtu.bytes());
  const uint64_t offset = uint64_t{place} * mtu.bytes();
  const bool last = place + 1 == packets;
  if (place >= packets || is_last(packet.opcode) != last ||
      packet.payload_length != (last ? running_.memory.length - offset : mtu.bytes())) {
    return false;
  }
  running_.done = static_cast<uint32_t>(offset);
  running_.active = true;
  return true;
}

Operations::Taken Operations::accept_read(const Packet& packet, const Stamp& at) {
  running_ = {};
  if (!packet.reth) {
    outlet_.listener.on_gap(from_, at);
    return {};
  }
  const PathMtu& mtu = outlet_.path_mtu;
  RdmaOp op;
  op.kind = OpKind::read_request;
  op.from = from_;
  op.id = ++started_;
  op.memory = {packet.reth->r_key, packet.reth->va, packet.reth->length};
  op.frames = {&at, 1};
  reads_.add(op.id, packet.psn, op.memory, at);
  Taken taken;
  if (!mtu.known() && op.memory.length > PathMtu::kLeast) {
    taken.unsized_read = op.memory.length;
  } else {
    taken.psns = psn_count(op.memory.length, mtu.bytes_or_least());
    watch_.set_aware(watch_.aware() && !mtu.guessed());
  }
  outlet_.report(op);
  return taken;
}

}  // namespace steertag::rdma::roce
