#include "track/pairing.h"

#include <algorithm>
#include <cstdlib>

#include "rdma/roce/psn.h"
#include "rdma/roce/qp_pair.h"
#include "track/connection.h"
#include "wire/reader.h"

namespace steertag::track {

namespace roce = rdma::roce;

namespace {

constexpr uint32_t kVotesForPair = 2;
constexpr int32_t kWidestRange = 1 << 16;  // PSNs of requests that are remembered

// The XID of a Send that may be an RPC-over-RDMA message.
std::optional<uint32_t> xid_of(const roce::Packet& packet) {
  const bool opens = roce::is_first(packet.opcode) || roce::is_only(packet.opcode);
  if (!roce::is_send(packet.opcode) || !opens || packet.payload.size() < 8) {
    return std::nullopt;
  }
  const uint32_t version = wire::big_endian<uint32_t>(packet.payload.data() + 4);
  if (version != 1 && version != 2) {
    return std::nullopt;
  }
  return wire::big_endian<uint32_t>(packet.payload.data());
}

}  // namespace

bool PairFinder::Flow::asked(uint32_t psn) const {
  return requested && roce::psn_distance(psn, low) >= 0 && roce::psn_distance(high, psn) >= 0;
}

bool PairFinder::Flow::sent(uint32_t xid) const {
  const size_t n = std::min(xid_count, xids.size());
  return std::find(xids.begin(), xids.begin() + static_cast<ptrdiff_t>(n), xid) !=
         xids.begin() + static_cast<ptrdiff_t>(n);
}

std::optional<Match> PairFinder::add(const Half& half, rdma::Transport transport, const roce::Packet& packet,
                                     const Stamp& at, uint64_t order) {
  Flow& flow = find_or_add(half, transport, order);
  flow.last_order = order;
  note_request(flow, packet);
  keep(flow, packet, at, order);
  if (Flow* counterpart = judge(flow, packet)) {
    return flow.first_order < counterpart->first_order ? take(flow, counterpart) : take(*counterpart, &flow);
  }
  if (alone(half) && (flow.full() || kept_ > kMaxTogether)) {
    return take(flow, nullptr);
  }
  while (kept_ > kMaxTogether && flows_.size() > 1) {
    drop_idlest();
  }
  return std::nullopt;
}

PairFinder::Flow& PairFinder::find_or_add(const Half& half, rdma::Transport transport, uint64_t order) {
  std::unique_ptr<Flow>& slot = flows_[half];
  if (slot) {
    return *slot;
  }
  slot = std::make_unique<Flow>();
  Flow& flow = *slot;
  flow.half = half;
  flow.transport = transport;
  flow.first_order = flow.last_order = order;
  flow.number = ++added_;
  std::vector<Flow*>& of_hosts = by_hosts_[{half.source, half.destination}];
  of_hosts.push_back(&flow);
  idlest_.trim(flows_.size(), [&](const Half& other) { return last_used(other); });
  idlest_.add(half, order);
  make_room(of_hosts);
  return flow;
}

void PairFinder::make_room(const std::vector<Flow*>& of_hosts) {
  if (of_hosts.size() > kMaxOfHosts) {
    remove(**std::min_element(of_hosts.begin(), of_hosts.end(),
                              [](const Flow* x, const Flow* y) { return x->last_order < y->last_order; }));
  } else if (flows_.size() > kMaxFlows) {
    drop_idlest();
  }
}

void PairFinder::drop_idlest() {
  const auto idlest = idlest_.take([&](const Half& half) { return last_used(half); });
  remove(*flows_.find(*idlest)->second);
}

std::optional<uint64_t> PairFinder::last_used(const Half& half) const {
  const auto found = flows_.find(half);
  return found == flows_.end() ? std::nullopt : std::optional(found->second->last_order);
}

void PairFinder::note_request(Flow& flow, const roce::Packet& packet) {
  if (!roce::is_request(packet.opcode)) {
    return;
  }
  // A Read takes one PSN for each Response; the least path MTU gives the most.
  const uint32_t psns = packet.reth && packet.opcode == roce::Opcode::read_request
                            ? std::min<uint32_t>(roce::psn_count(packet.reth->length, 256), kWidestRange)
                            : 1;
  const uint32_t newest = roce::psn_add(packet.psn, psns - 1);
  if (!flow.requested) {
    flow.requested = true;
    flow.low = packet.psn;
    flow.high = newest;
  } else if (roce::psn_distance(newest, flow.high) > 0) {
    flow.high = newest;
  }
  if (roce::psn_distance(flow.high, flow.low) > kWidestRange) {
    flow.low = roce::psn_add(flow.high, roce::kPsnMask + 1 - kWidestRange);
  }
}

void PairFinder::keep(Flow& flow, const roce::Packet& packet, const Stamp& at, uint64_t order) {
  kept_ -= flow.kept();
  while (flow.full()) {
    flow.waiting_bytes -= flow.waiting.front().bytes.size();
    flow.waiting.pop_front();
    ++flow.dropped;
  }
  Waiting& copy = flow.waiting.emplace_back();
  copy.packet = packet;
  copy.packet.captured = nullptr;
  copy.bytes.assign(packet.payload.begin(), packet.payload.end());
  copy.at = at;
  copy.order = order;
  flow.waiting_bytes += copy.bytes.size();
  kept_ += flow.kept();
  charge();
}

// The flow the other way that alone fits; null for none or several.
template <typename Fits>
PairFinder::Flow* PairFinder::only_one(const Flow& flow, Fits fits) {
  Flow* one = nullptr;
  const auto others = by_hosts_.find({flow.half.destination, flow.half.source});
  if (others == by_hosts_.end()) {
    return nullptr;
  }
  for (Flow* candidate : others->second) {
    if (candidate->transport == flow.transport &&
        !out_of_touch(candidate->waiting.back().at, flow.waiting.back().at) && fits(*candidate)) {
      if (one != nullptr) {
        return nullptr;
      }
      one = candidate;
    }
  }
  return one;
}

// Counts what the packet says about the flow's counterpart; the counterpart
// once the evidence is enough.
PairFinder::Flow* PairFinder::judge(Flow& flow, const roce::Packet& packet) {
  Flow* one = nullptr;
  if (roce::is_response(packet.opcode)) {
    one = only_one(flow, [&](const Flow& candidate) { return candidate.asked(packet.psn); });
  } else if (const std::optional<uint32_t> xid = xid_of(packet)) {
    one = only_one(flow, [&](const Flow& candidate) { return candidate.sent(*xid); });
    flow.xids[flow.xid_count++ % flow.xids.size()] = *xid;
  }
  if (one == nullptr) {
    return nullptr;
  }
  flow.votes = flow.favourite == one->number ? flow.votes + 1 : 1;
  flow.favourite = one->number;
  return flow.votes >= kVotesForPair ? one : nullptr;
}

Match PairFinder::take(Flow& first, Flow* second) {
  Match match;
  match.from_a = first.half;
  match.order = first.first_order;
  match.transport = first.transport;
  match.copies = {first.copies, second != nullptr ? second->copies : 0};
  match.dropped = {first.dropped, second != nullptr ? second->dropped : 0};
  for (Waiting& packet : first.waiting) {
    match.packets.emplace_back(rdma::Side::a, std::move(packet));
  }
  if (second != nullptr) {
    match.from_b = second->half;
    for (Waiting& packet : second->waiting) {
      match.packets.emplace_back(rdma::Side::b, std::move(packet));
    }
    std::sort(match.packets.begin(), match.packets.end(),
              [](const auto& x, const auto& y) { return x.second.order < y.second.order; });
    remove(*second);
  }
  for (auto& [side, packet] : match.packets) {
    packet.packet.payload = packet.bytes;
  }
  remove(first);
  return match;
}

void PairFinder::remove(Flow& flow) {
  kept_ -= flow.kept();
  std::vector<Flow*>& same = by_hosts_[{flow.half.source, flow.half.destination}];
  std::erase(same, &flow);
  if (same.empty()) {
    by_hosts_.erase({flow.half.source, flow.half.destination});
  }
  const Half half = flow.half;
  flows_.erase(half);
  charge();
}

void PairFinder::note_copy(const Half& half) {
  const auto found = flows_.find(half);
  if (found != flows_.end()) {
    ++found->second->copies;
  }
}

uint64_t PairFinder::copies(const Half& half) const {
  const auto found = flows_.find(half);
  return found == flows_.end() ? 0 : found->second->copies;
}

std::deque<Waiting> PairFinder::forget(const Half& half) {
  std::deque<Waiting> waited;
  const auto found = flows_.find(half);
  if (found != flows_.end()) {
    Flow& flow = *found->second;
    kept_ -= flow.kept();
    waited.swap(flow.waiting);
    flow.waiting_bytes = 0;
    remove(flow);
  }
  return waited;
}

std::optional<Match> PairFinder::outdated(const Half& half, const Stamp& at) {
  const auto found = flows_.find(half);
  if (found == flows_.end() || !out_of_touch(found->second->waiting.back().at, at)) {
    return std::nullopt;
  }
  return take(*found->second, nullptr);
}

std::optional<Match> PairFinder::lonely(const Half& half) {
  const auto found = flows_.find(half);
  return found != flows_.end() && alone(half) ? std::optional(take(*found->second, nullptr)) : std::nullopt;
}

std::vector<Match> PairFinder::finish() {
  std::vector<Flow*> left;
  for (auto& [half, flow] : flows_) {
    left.push_back(flow.get());
  }
  std::sort(left.begin(), left.end(),
            [](const Flow* x, const Flow* y) { return x->first_order < y->first_order; });
  std::vector<std::pair<Flow*, Flow*>> pairs;
  for (Flow* flow : left) {
    if (flow->settled) {
      continue;
    }
    Flow* counterpart = likely(*flow);
    if (counterpart != nullptr) {
      counterpart->settled = true;
    }
    pairs.emplace_back(flow, counterpart);
  }
  std::vector<Match> matches;
  for (const auto& [flow, counterpart] : pairs) {
    matches.push_back(take(*flow, counterpart));
  }
  return matches;
}

// Where no more evidence comes: the flow that some speaks for, if these two are alone with each other.
PairFinder::Flow* PairFinder::likely(const Flow& flow) {
  const auto any = [](const Flow&) { return true; };
  Flow* other = only_one(flow, any);
  const bool mutual = other != nullptr && only_one(*other, any) == &flow;
  return mutual && (flow.favourite == other->number || other->favourite == flow.number) ? other : nullptr;
}

// Where each direction has a tap of its own, and the clock of one is ahead, the REP is shown later than what
// came behind it: packets that waited since the REQ, and no longer than any effect waits for its cause.
std::vector<std::pair<rdma::Side, Waiting>> PairFinder::take_early(uint64_t since, const Half& from_a,
                                                                   const Half& from_b, const Stamp& at) {
  std::vector<std::pair<rdma::Side, Waiting>> early;
  for (const auto& [side, half] : {std::pair(rdma::Side::a, from_a), std::pair(rdma::Side::b, from_b)}) {
    for (Waiting& waiting : forget(half)) {
      if (waiting.order > since && at.time_ns - waiting.at.time_ns < roce::QpPair::kPatienceNs) {
        early.emplace_back(side, std::move(waiting));
        early.back().second.packet.payload = early.back().second.bytes;
      }
    }
  }
  std::sort(early.begin(), early.end(),
            [](const auto& x, const auto& y) { return x.second.order < y.second.order; });
  return early;
}

bool Match::answers_from(rdma::Side from, uint32_t psn) const {
  constexpr int32_t kNear = 1 << 12;  // PSNs
  const auto first = std::find_if(packets.begin(), packets.end(), [&](const auto& packet) {
    return packet.first == from && roce::is_response(packet.second.packet.opcode);
  });
  const int32_t behind = first == packets.end() ? -1 : roce::psn_distance(first->second.packet.psn, psn);
  return behind >= 0 && behind < kNear;
}

bool Match::starts_elsewhere(rdma::Side from, uint32_t psn) const {
  const auto first = std::find_if(packets.begin(), packets.end(), [&](const auto& packet) {
    return packet.first == from && roce::is_request(packet.second.packet.opcode);
  });
  return first != packets.end() &&
         std::abs(roce::psn_distance(first->second.packet.psn, psn)) >= roce::kLateDistance;
}

}  // namespace steertag::track
