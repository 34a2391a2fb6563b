#include "rdma/roce/engine.h"

#include <algorithm>
#include <cstdlib>

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

void Engine::set_path_mtu(uint32_t bytes) {
  if (bytes >= 256 && bytes <= 4096 && (bytes & (bytes - 1)) == 0) {
    path_mtu_ = bytes;
    path_mtu_guessed_ = false;
  }
}

void Engine::expect(Side sender, uint32_t first_psn) {
  Flow& f = flow(sender);
  f.synced = true;
  f.first = f.expected = f.confirmed = first_psn & kPsnMask;
  f.aware = true;
}

bool Engine::goes_on(Side from, const Packet& packet) const {
  constexpr int32_t kNear = 1 << 16;  // PSNs
  const Flow& requests = flows_[index(is_response(packet.opcode) ? other(from) : from)];
  return !requests.synced || std::abs(psn_distance(packet.psn, requests.expected)) < kNear;
}

std::optional<uint32_t> Engine::next_psn(Side from) const {
  const Flow& f = flows_[index(from)];
  return f.synced ? std::optional(f.expected) : std::nullopt;
}

bool Engine::begins_again(Side from, const Packet& packet) const {
  const Flow& f = flows_[index(from)];
  return f.synced && is_request(packet.opcode) && starts_message(packet.opcode) && packet.psn == f.first &&
         psn_distance(f.confirmed, f.first) > 0;
}

void Engine::on_packet(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  if (packet.icrc && drops(from, packet, at)) [[unlikely]] {
    return;
  }
  learn_path_mtu(packet);
  if (!f.effects.empty() || before_its_cause(from, packet)) [[unlikely]] {
    f.effects.push_back(copy(packet, at));  // at most kPatiencePackets, see release()
  } else {
    take(from, packet, at);
  }
  for (const Side side : {Side::a, Side::b}) {
    if (!flow(side).effects.empty()) [[unlikely]] {
      release(side, at);
    }
  }
}

void Engine::take(Side from, const Packet& packet, const Stamp& at) {
  const Shape what = shape(packet.opcode);
  if (what.role == Role::request) {
    on_request(from, packet, at);
  } else if (what.role == Role::response) {
    on_response(from, packet, at);
  }
}

// First and Middle packets are as long as the path MTU (IBTA vol. 1 §9.7), and
// more to be believed than what a REQ proposed. A single one of another size
// than those before it is not.
void Engine::learn_path_mtu(const Packet& packet) {
  if (!is_first(packet.opcode) && !is_middle(packet.opcode)) {
    return;
  }
  if (packet.payload_length == path_mtu_) [[likely]] {
    path_mtu_shown_ = true;
    other_mtu_run_ = 0;
    return;
  }
  other_mtu_run_ = packet.payload_length == other_mtu_ ? other_mtu_run_ + 1 : 1;
  other_mtu_ = packet.payload_length;
  if (!path_mtu_shown_ || other_mtu_run_ >= kMtuPatience) {
    set_path_mtu(packet.payload_length);
    path_mtu_shown_ = packet.payload_length == path_mtu_;
  }
}

bool Engine::whole(Side from) const {
  const Flow& f = flows_[index(from)];
  return !f.lossy && f.held.empty() && !f.acknowledged && flows_[index(other(from))].effects.empty();
}

// --- requests ---

void Engine::on_request(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  if (!f.synced) {
    f.synced = true;
    f.first = f.expected = f.confirmed = packet.psn;
  }
  if (f.unsized_read) {
    size_pending_read(f, packet.psn);
  }
  const int32_t distance = psn_distance(packet.psn, f.expected);
  if (distance == 0 && may_accept(f, packet, at)) {
    f.behind = 0;
    remember(from, packet, at);
    accept(from, packet, at);
    drain(from);
    settle(from, at);
  } else if (distance < 0) {
    on_behind(from, packet, at);
  } else {
    hold(from, packet, at);
    settle(from, at);
  }
}

// A Read Request was accepted while the path MTU was unknown: `expected` stands
// one past its PSN. The next request tells how many PSNs it took.
void Engine::size_pending_read(Flow& f, uint32_t next_psn) {
  const uint32_t read_psn = psn_add(f.expected, kPsnMask);
  if (path_mtu_ != 0) {
    f.expected = psn_add(read_psn, psn_count(*f.unsized_read, path_mtu_));
    f.unsized_read.reset();
    return;
  }
  uint32_t fitting = 0;  // path MTUs
  uint32_t fits = 0;
  for (uint32_t mtu = 256; mtu <= 4096; mtu *= 2) {
    if (psn_add(read_psn, psn_count(*f.unsized_read, mtu)) == next_psn) {
      ++fitting;
      fits = mtu;
    }
  }
  if (fitting != 0) {
    path_mtu_ = fitting == 1 ? fits : 0;  // several fit a short Read: not known yet
    path_mtu_guessed_ = true;             // requests may be missing in between
    f.aware = false;
    f.expected = next_psn;
    f.unsized_read.reset();
  }
}

void Engine::accept(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  if (f.missing) [[unlikely]] {
    tell_missing(from);
  }
  watch_order(from, packet, at);
  f.expected = psn_add(f.expected, 1);
  forget_holes(f);
  switch (shape(packet.opcode).operation) {
    case Operation::send:
      accept_data(from, packet, OpKind::send, at);
      break;
    case Operation::write:
      accept_data(from, packet, OpKind::write, at);
      break;
    case Operation::read_request:
      accept_read(from, packet, at);
      break;
    default: {
      f.running = {};
      RdmaOp op;
      op.kind = OpKind::other;
      op.from = from;
      op.id = ++f.started;
      op.frames = {&at, 1};
      tell(op);
      break;
    }
  }
  if (f.acknowledged && psn_distance(*f.acknowledged, f.expected) < 0) {
    f.acknowledged.reset();
  }
}

void Engine::accept_data(Side from, const Packet& packet, OpKind kind, const Stamp& at) {
  Flow& f = flow(from);
  Running& running = f.running;
  const bool opens = starts_message(packet.opcode);
  const bool ends = ends_message(packet.opcode);
  if (opens) {
    running = {kind, true, ++f.started, 0, {}, packet.psn, at, false};
    if (kind == OpKind::write) {
      if (!packet.reth) {  // cut by the snaplen: where it goes to is unknown
        running.active = f.aware = false;
        listener_.on_gap(from, at);
        return;
      }
      running.memory = {packet.reth->r_key, packet.reth->va, packet.reth->length};
    }
  } else if (running.active ? running.kind != kind : !resume(running, packet)) {
    running = {};  // its beginning is not in the capture
    return;
  }
  watch_size(from, packet, at);
  if (ends && kind == OpKind::write) {
    watch_write_end(from, packet, at);
  }
  RdmaOp op;
  op.kind = kind;
  op.from = from;
  op.id = running.id;
  op.first = opens;
  op.last = ends;
  op.message_offset = running.done;
  if (kind == OpKind::write) {
    op.memory = {running.memory.handle, running.memory.offset + running.done, packet.payload_length};
    if (opens) {
      op.announced_length = running.memory.length;
    }
  }
  if (packet.ieth) {
    op.invalidate = packet.ieth->r_key;
    f.invalidation = packet.psn;
  }
  op.solicited = packet.solicited;
  op.immediate = packet.immediate.has_value();
  op.payload = packet.payload;
  op.payload_length = packet.payload_length;
  op.frames = {&at, 1};
  running.done += packet.payload_length;
  running.active = !ends;
  tell(op);
}

void Engine::accept_read(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  f.running = {};
  if (!packet.reth) {
    f.unsized_read.reset();
    listener_.on_gap(from, at);
    return;
  }
  RdmaOp op;
  op.kind = OpKind::read_request;
  op.from = from;
  op.id = ++f.started;
  op.memory = {packet.reth->r_key, packet.reth->va, packet.reth->length};
  op.frames = {&at, 1};
  f.reads.add(op.id, packet.psn, op.memory, at);
  if (path_mtu_ == 0 && op.memory.length > 256) {
    f.unsized_read = op.memory.length;
  } else {
    f.expected = psn_add(packet.psn, psn_count(op.memory.length, mtu_or_least()));
    f.aware = f.aware && !path_mtu_guessed_;
  }
  tell(op);
}

}  // namespace steertag::rdma::roce
