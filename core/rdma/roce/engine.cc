#include "rdma/roce/engine.h"

#include <algorithm>

#include "rdma/roce/psn.h"

namespace steertag::rdma::roce {

namespace {

// An operation that one packet holds whole.
bool stands_alone(const Packet& packet) {
  return is_only(packet.opcode);
}

// A run of this many packets behind what is expected, each following the last,
// further back than any window: the QP was set up again outside of the capture.
constexpr uint32_t kStartedOverRun = 16;
constexpr int32_t kFarBehind = -(1 << 20);

}  // namespace

void Engine::set_path_mtu(uint32_t bytes) {
  if (bytes >= 256 && bytes <= 4096 && (bytes & (bytes - 1)) == 0) {
    path_mtu_ = bytes;
  }
}

void Engine::expect(Side sender, uint32_t first_psn) {
  Flow& f = flow(sender);
  f.synced = true;
  f.expected = first_psn & kPsnMask;
}

void Engine::on_packet(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
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

// Does the packet acknowledge a request that was not seen yet?
bool Engine::before_its_cause(Side from, const Packet& packet) {
  if (!is_response(packet.opcode)) [[likely]] {
    return false;
  }
  const Flow& requests = flow(other(from));
  const bool nak = packet.aeth && !packet.aeth->is_ack();
  const uint32_t psn = nak ? psn_add(packet.psn, kPsnMask) : packet.psn;
  return requests.synced && !requests.unsized_read && requests.held.empty() &&
         psn_distance(psn, requests.expected) >= 0;
}

// Takes what waits, as far as its causes were seen or patience is at an end.
void Engine::release(Side from, const Stamp& now) {
  Flow& f = flow(from);
  while (!f.effects.empty()) {
    const Held& head = *f.effects.front();
    if (before_its_cause(from, head.packet)) {
      if (f.effects.size() < kPatiencePackets && now.time_ns - head.at.time_ns < kPatienceNs) {
        return;
      }
      const bool nak = head.packet.aeth && !head.packet.aeth->is_ack();
      give_up_hole(other(from), nak ? head.packet.psn : psn_add(head.packet.psn, 1), head.at);
    }
    release_one(from);
  }
}

void Engine::release_one(Side from) {
  Flow& f = flow(from);
  std::unique_ptr<Held> head = std::move(f.effects.front());
  f.effects.erase(f.effects.begin());
  head->packet.payload = head->bytes;
  take(from, head->packet, head->at);
  spare_.push_back(std::move(head));
}

void Engine::take(Side from, const Packet& packet, const Stamp& at) {
  const Shape what = shape(packet.opcode);
  if (what.role == Role::request) {
    on_request(from, packet, at);
  } else if (what.role == Role::response) {
    on_response(from, packet, at);
  }
}

// First and Middle packets are as long as the path MTU (wire format §7.5), and
// more to be believed than what a REQ proposed.
void Engine::learn_path_mtu(const Packet& packet) {
  if (packet.payload_length != path_mtu_ && (is_first(packet.opcode) || is_middle(packet.opcode))) {
    set_path_mtu(packet.payload_length);
  }
}

bool Engine::whole(Side from) const {
  const Flow& f = flows_[index(from)];
  return !f.lossy && f.held.empty() && !f.acknowledged && flows_[index(other(from))].effects.empty();
}

bool Engine::acknowledges(Side from, uint32_t psn) const {
  const Flow& f = flows_[index(from)];
  const int32_t distance = f.synced ? psn_distance(psn, f.expected) : 0;
  return f.synced && distance < 0 && distance > -4096;
}

// --- requests ---

void Engine::on_request(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  if (!f.synced) {
    f.synced = true;
    f.expected = packet.psn;
  }
  if (f.unsized_read) {
    size_pending_read(f, packet.psn);
  }
  const int32_t distance = psn_distance(packet.psn, f.expected);
  if (distance == 0) {
    f.behind = 0;
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
    f.expected = next_psn;
    f.unsized_read.reset();
  }
}

void Engine::accept(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  f.expected = psn_add(f.expected, 1);
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
      RdmaOp op;
      op.kind = OpKind::other;
      op.from = from;
      op.id = ++f.started;
      op.frames = {&at, 1};
      listener_.on_op(op);
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
  const bool opens = is_first(packet.opcode) || is_only(packet.opcode);
  const bool ends = is_last(packet.opcode) || is_only(packet.opcode);
  if (opens) {
    running = {kind, true, ++f.started, 0, {}};
    if (kind == OpKind::write) {
      if (!packet.reth) {  // cut by the snaplen: where it goes to is unknown
        running.active = false;
        listener_.on_gap(from, at);
        return;
      }
      running.memory = {packet.reth->r_key, packet.reth->va, packet.reth->length};
    }
  } else if (!running.active || running.kind != kind) {
    return;  // its beginning is not in the capture
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
  }
  op.solicited = packet.solicited;
  op.immediate = packet.immediate.has_value();
  op.payload = packet.payload;
  op.payload_length = packet.payload_length;
  op.frames = {&at, 1};
  running.done += packet.payload_length;
  running.active = !ends;
  listener_.on_op(op);
}

void Engine::accept_read(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
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
  f.reads.add(op.id, packet.psn, op.memory);
  if (path_mtu_ == 0 && op.memory.length > 256) {
    f.unsized_read = op.memory.length;
  } else {
    f.expected = psn_add(packet.psn, psn_count(op.memory.length, mtu_or_least()));
  }
  listener_.on_op(op);
}

// --- duplicates, holes ---

void Engine::on_behind(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  for (Hole& hole : f.holes) {
    if (psn_distance(packet.psn, hole.first) >= 0 && psn_distance(packet.psn, hole.end) < 0) {
      // A tap that shows packets late. What stands alone can still be told;
      // the hole keeps what follows it.
      if (stands_alone(packet)) {
        hole.first = psn_add(packet.psn, 1);
        const Running running = f.running;
        const uint32_t expected = f.expected;
        const std::optional<uint32_t> unsized_read = f.unsized_read;
        const std::optional<uint32_t> acknowledged = f.acknowledged;
        accept(from, packet, at);
        f.running = running;
        f.expected = expected;
        f.unsized_read = unsized_read;
        f.acknowledged = acknowledged;
      }
      return;
    }
  }
  listener_.on_repeat(from, at);
  f.behind = f.behind != 0 && packet.psn == psn_add(f.behind_last, 1) ? f.behind + 1 : 1;
  f.behind_last = packet.psn;
  if (f.behind >= kStartedOverRun && psn_distance(packet.psn, f.expected) < kFarBehind) {
    start_over(from, packet, at);
  }
}

void Engine::start_over(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  while (!f.held.empty()) {
    spare_.push_back(std::move(f.held.back()));
    f.held.pop_back();
  }
  f.held_bytes = 0;
  f.holes.clear();
  f.acknowledged.reset();
  f.unsized_read.reset();
  f.running.active = false;
  f.reads.clear();
  f.lossy = true;
  f.behind = 0;
  f.expected = packet.psn;
  listener_.on_gap(from, at);
  accept(from, packet, at);
}

// A packet that outlives its frame.
std::unique_ptr<Engine::Held> Engine::copy(const Packet& packet, const Stamp& at) {
  std::unique_ptr<Held> kept;
  if (spare_.empty()) {
    kept = std::make_unique<Held>();
  } else {
    kept = std::move(spare_.back());
    spare_.pop_back();
  }
  kept->packet = packet;
  kept->at = at;
  kept->bytes.assign(packet.payload.begin(), packet.payload.end());
  return kept;
}

void Engine::hold(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  const auto ahead = [&](uint32_t psn) { return psn_distance(psn, f.expected); };
  auto place = f.held.end();
  while (place != f.held.begin() && ahead((*(place - 1))->packet.psn) > ahead(packet.psn)) {
    --place;
  }
  if (place != f.held.begin() && (*(place - 1))->packet.psn == packet.psn) {
    listener_.on_repeat(from, at);  // held already
    return;
  }
  f.held_bytes += packet.payload.size();
  f.held.insert(place, copy(packet, at));
  if (f.held.size() > kMaxHeldPackets || f.held_bytes > kMaxHeldBytes) {
    give_up_hole(from, f.held.front()->packet.psn, at);
    drain(from);
  }
}

// Accepts what was held and now follows on.
void Engine::drain(Side from) {
  Flow& f = flow(from);
  size_t taken = 0;
  while (taken < f.held.size()) {
    Held& held = *f.held[taken];
    if (f.unsized_read) {
      size_pending_read(f, held.packet.psn);
    }
    const int32_t distance = psn_distance(held.packet.psn, f.expected);
    if (distance > 0) {
      break;
    }
    f.held_bytes -= held.bytes.size();
    if (distance == 0) {
      held.packet.payload = held.bytes;
      accept(from, held.packet, held.at);
    }
    ++taken;
  }
  for (size_t i = 0; i < taken; ++i) {
    spare_.push_back(std::move(f.held[i]));
  }
  f.held.erase(f.held.begin(), f.held.begin() + static_cast<ptrdiff_t>(taken));
}

// The packets from `expected` up to `up_to` are not coming: the capture lost them.
void Engine::give_up_hole(Side from, uint32_t up_to, const Stamp& at) {
  Flow& f = flow(from);
  const bool goes_on = !f.holes.empty() && f.holes.back().end == f.expected;
  if (goes_on) {
    f.holes.back().end = up_to;
  } else {
    if (f.holes.size() == kMaxHoles) {
      f.holes.erase(f.holes.begin());
    }
    f.holes.push_back({f.expected, up_to});
  }
  lost_ += static_cast<uint32_t>(std::max(psn_distance(up_to, f.expected), 0));
  f.expected = up_to;
  f.running.active = false;
  f.unsized_read.reset();
  f.lossy = true;
  if (!goes_on) {
    listener_.on_gap(from, at);
  }
}

// Where the peer acknowledged what was never seen, waiting has no point: a hole
// is given up as far as the acknowledgment reaches.
void Engine::settle(Side from, const Stamp& at) {
  Flow& f = flow(from);
  while (f.acknowledged && !f.held.empty() && psn_distance(*f.acknowledged, f.expected) >= 0) {
    const uint32_t first_held = f.held.front()->packet.psn;
    const uint32_t reached = psn_add(*f.acknowledged, 1);
    const bool all = psn_distance(reached, first_held) >= 0;
    give_up_hole(from, all ? first_held : reached, at);
    drain(from);
  }
  if (f.acknowledged && psn_distance(*f.acknowledged, f.expected) < 0) {
    f.acknowledged.reset();
  }
}

// --- responses ---

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
  if (!f.synced || psn_distance(psn, f.expected) < 0) {
    return;
  }
  if (!f.acknowledged || psn_distance(psn, *f.acknowledged) > 0) {
    f.acknowledged = psn;
  }
  settle(requester, at);
}

void Engine::deliver_response(Side from, const Packet& packet, const Stamp& at) {
  const Side requester = other(from);
  OutstandingRead* read = flow(requester).reads.find(packet.psn, mtu_or_least());
  if (read == nullptr) {
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
  if (offset + packet.payload_length > read->memory.length ||
      read->delivered.add(offset, packet.payload_length) == 0) {
    if (packet.payload_length != 0) {
      listener_.on_repeat(from, at);
    }
    return;
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
  listener_.on_op(op);
}

void Engine::complain(Side from, const Packet& packet, const Stamp& at) {
  Fault fault;
  fault.from = from;
  fault.psn = packet.psn;
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
  }
  listener_.on_fault(fault);
}

void Engine::finish(const Stamp& at) {
  // Causes that did not come by now are missing; both sides may wait for each other.
  const Stamp never{at.number, at.file, INT64_MAX};
  for (int round = 0; round < 2; ++round) {
    release(Side::a, never);
    release(Side::b, never);
  }
  for (const Side side : {Side::a, Side::b}) {
    Flow& f = flow(side);
    while (!f.held.empty()) {
      give_up_hole(side, f.held.front()->packet.psn, at);
      drain(side);
    }
    if (f.acknowledged && psn_distance(*f.acknowledged, f.expected) >= 0) {
      give_up_hole(side, psn_add(*f.acknowledged, 1), at);
      f.acknowledged.reset();
    }
  }
}

}  // namespace steertag::rdma::roce
