// The Engine's waiting room: packets behind a hole, packets before their cause.
#include <algorithm>
#include <utility>

#include "rdma/roce/engine.h"
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

// Does the packet acknowledge a request that was not seen yet?
bool Engine::before_its_cause(Side from, const Packet& packet) {
  if (!is_response(packet.opcode)) [[likely]] {
    return false;
  }
  const Flow& requests = flow(other(from));
  if (is_read_response(packet.opcode) && requests.reads.overruns(packet.psn, mtu_or_least())) {
    return false;
  }
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
      give_up_hole(other(from), nak ? head.packet.psn : psn_add(head.packet.psn, 1), head.at, head.at);
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

// PSNs come round: a packet that far behind is another one. A Read may take half of them at once.
void Engine::forget_holes(Flow& f) {
  while (!f.holes.empty()) {
    const int32_t distance = psn_distance(f.holes.front().end, f.expected);
    if (distance >= kFarBehind && distance <= 0) [[likely]] {
      return;
    }
    f.holes.erase(f.holes.begin());
  }
}

void Engine::on_behind(Side from, const Packet& packet, const Stamp& at) {
  Flow& f = flow(from);
  for (Hole& hole : f.holes) {
    if (psn_distance(packet.psn, hole.first) >= 0 && psn_distance(packet.psn, hole.end) < 0) {
      // A tap that shows packets late. What stands alone can still be told;
      // the hole keeps what follows it.
      if (stands_alone(packet)) {
        hole.first = psn_add(packet.psn, 1);
        if (f.missing && f.missing->first == packet.psn) {
          f.missing->first = hole.first;
        }
        const Running running = std::exchange(f.running, {});
        const bool aware = std::exchange(f.aware, false);
        const uint32_t expected = f.expected;
        const std::optional<uint32_t> unsized_read = f.unsized_read;
        const std::optional<uint32_t> acknowledged = f.acknowledged;
        accept(from, packet, at);
        f.running = running;
        f.aware = aware;
        f.expected = expected;
        f.unsized_read = unsized_read;
        f.acknowledged = acknowledged;
      }
      return;
    }
  }
  if (packet.opcode == Opcode::read_request) {
    ++f.repeated_reads;
    if (OutstandingRead* read = f.reads.find(packet.psn, mtu_or_least())) {
      read->restarted = true;
    }
  }
  listener_.on_repeat(from, at);
  if (const Copy* first = f.copies.find(packet.psn)) {
    compare(from, *first, packet, at);
  }
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
  f.acknowledged.reset();
  tell_missing(from);
  forget(f);
  f.expected = f.confirmed = packet.psn;
  listener_.on_gap(from, at);
  accept(from, packet, at);
}

// What was known of the sequence, but for what is held.
void Engine::forget(Flow& f) {
  f.holes.clear();
  f.unsized_read.reset();
  f.running = {};
  f.aware = false;
  f.reads.clear();
  f.copies.clear();
  f.inner_size = 0;
  f.lossy = true;
  f.behind = 0;
  path_mtu_shown_ = false;
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
    Held& first = **(place - 1);
    first.packet.payload = first.bytes;
    compare(from, Copy::of(first.packet, first.at), packet, at);
    return;
  }
  if (closed_ && (f.held.size() == kMaxHeldPackets || f.held_bytes + packet.payload.size() > kMaxHeldBytes)) {
    return;  // enough to tell
  }
  f.held_bytes += packet.payload.size();
  f.held.insert(place, copy(packet, at));
  if (f.held.size() > kMaxHeldPackets || f.held_bytes > kMaxHeldBytes) {
    give_up_hole(from, f.held.front()->packet.psn, at, std::nullopt);
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
    if (distance > 0 || (distance == 0 && !may_accept(f, held.packet, held.at))) {
      break;
    }
    f.held_bytes -= held.bytes.size();
    if (distance == 0) {
      held.packet.payload = held.bytes;
      remember(from, held.packet, held.at);
      accept(from, held.packet, held.at);
    }
    ++taken;
  }
  for (size_t i = 0; i < taken; ++i) {
    spare_.push_back(std::move(f.held[i]));
  }
  f.held.erase(f.held.begin(), f.held.begin() + static_cast<ptrdiff_t>(taken));
}

// After the DREQ the peer may not listen any more: only what it acknowledges was received.
bool Engine::may_accept(const Flow& f, const Packet& packet, const Stamp& at) const {
  return !late(at) || unreceived_ || (f.acknowledged && psn_distance(*f.acknowledged, packet.psn) >= 0);
}

// What came after the DREQ, as far as nothing is missing before it, and was never acknowledged.
void Engine::tell_unreceived(Side from) {
  Flow& f = flow(from);
  if (!f.held.empty() && f.held.front()->packet.psn == f.expected) {
    const Held& first = *f.held.front();
    Anomaly unreceived;
    unreceived.kind = Anomaly::Kind::unreceived;
    unreceived.from = from;
    unreceived.at = first.at;
    unreceived.related = closed_;
    unreceived.operation = kind_of(first.packet.opcode);
    unreceived.position = f.expected;
    unreceived.count = f.held.size();
    unreceived_ = true;
    drain(from);
    unreceived_ = false;
    listener_.on_anomaly(unreceived);
  }
  f.held.clear();
}

// The packets from `expected` up to `up_to` are not coming: the capture lost them.
// `proof`: what acknowledges them.
void Engine::give_up_hole(Side from, uint32_t up_to, const Stamp& at, const std::optional<Stamp>& proof) {
  Flow& f = flow(from);
  if (psn_distance(up_to, f.expected) > -kFarBehind) {
    // That many are not missing: the QP was set up again outside of the capture.
    tell_missing(from);
    forget(f);
    f.expected = f.confirmed = up_to;
    listener_.on_gap(from, at);
    return;
  }
  const bool goes_on = !f.holes.empty() && f.holes.back().end == f.expected;
  if (f.missing && f.missing->end == f.expected) {
    f.missing->end = up_to;
    f.missing->proof = f.missing->proof ? proof : std::nullopt;
  } else {
    tell_missing(from);
    f.missing = Missing{f.expected, up_to, at, proof};
  }
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
  f.running.interrupted |= f.running.active;
  f.running.active = f.aware = false;
  f.unsized_read.reset();
  f.lossy = true;
  // Where it goes on it is told again, should anything have been told in between.
  if (!goes_on || f.told_at_gap != told_) {
    f.told_at_gap = told_;
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
    if (first_held != f.expected) {
      give_up_hole(from, all ? first_held : reached, at, f.acknowledged_at);
    }
    drain(from);
  }
  if (f.acknowledged && psn_distance(*f.acknowledged, f.expected) < 0) {
    f.acknowledged.reset();
  }
}

// A hole in a Write hides bytes, not where the others go to: packets are counted,
// and each but the last holds as many bytes as the path MTU.
bool Engine::resume(Running& running, const Packet& packet) const {
  if (!running.interrupted || running.kind != OpKind::write || !is_write(packet.opcode) || !path_mtu_shown_) {
    return false;
  }
  const auto place = static_cast<uint32_t>(std::max(psn_distance(packet.psn, running.first_psn), 0));
  const uint32_t packets = psn_count(running.memory.length, path_mtu_);
  const uint64_t offset = uint64_t{place} * path_mtu_;
  const bool last = place + 1 == packets;
  if (place >= packets || is_last(packet.opcode) != last ||
      packet.payload_length != (last ? running.memory.length - offset : path_mtu_)) {
    return false;
  }
  running.done = static_cast<uint32_t>(offset);
  running.active = true;
  return true;
}

}  // namespace steertag::rdma::roce
