#include "flow/access_judge.h"

#include <algorithm>

namespace steertag::flow {

namespace {

// A Call that was sent more than once gets as many Replies, and the peer may still serve one of the copies.
Verdict verdict_on(const Retired& segment) {
  return segment.over && segment.invalidated ? Verdict::after_rescind
         : segment.over && !segment.resent   ? Verdict::after_reply
                                             : Verdict::forgotten;
}

Retired retired_of(const Exchange& over, const SegmentFlow& segment) {
  Retired made;
  made.xid = over.xid;
  made.target = segment.target;
  made.kind = segment.kind;
  if (segment.kind == ChunkKind::result) {
    made.offered = over.reply.value_or(Stamp{});
    made.over = over.done;
    return made;
  }
  made.offered = over.call.value_or(Stamp{});
  made.over = over.reply;
  made.invalidated = over.invalidated == segment.target.handle;
  made.resent = over.resent != 0;
  return made;
}

}  // namespace

void AccessJudge::retire(const Exchange& over, const SegmentFlow& segment) {
  const rdma::Side owner = owner_of(segment.kind, over.requester);
  std::vector<Retired>& ring = retired_[rdma::index(owner)];
  size_t& next = next_[rdma::index(owner)];
  if (ring.size() < kMaxRetired) {
    ring.push_back(retired_of(over, segment));
    return;
  }
  ring[next] = retired_of(over, segment);
  next = (next + 1) % kMaxRetired;
}

const Access* AccessJudge::judge(const rdma::RdmaOp& op, const LiveSegments& live,
                                 const Exchanges& exchanges) {
  Current& current = current_[rdma::index(op.from)];
  if (op.id != current.id) {
    current = {op.id, op.memory.offset, false, UINT32_MAX};
  }
  access_.op = &op;
  access_.owner = rdma::other(op.from);
  access_.reading = op.kind == rdma::OpKind::read_request;
  access_.range = op.memory;
  if (op.first && op.announced_length && *op.announced_length > op.memory.length) {
    access_.range.length = *op.announced_length;
  }
  if (access_.range.length == 0 || current.astray) {
    return nullptr;  // nothing is touched, or it was told
  }
  access_.verdict = Verdict::fine;
  access_.exchange = nullptr;
  access_.segment = nullptr;
  access_.retired.reset();
  access_.elsewhere = 0;
  access_.unsure = cut_[rdma::index(access_.owner)] || unreadable_[rdma::index(access_.owner)] != 0;
  look(live, exchanges, current);
  current.astray = access_.verdict != Verdict::fine;
  return op.first || current.astray ? &access_ : nullptr;
}

// Walks the range over the segments that hold it: those of one Call, and of the right kind. Calls may offer
// the same bytes, to be read: then it is one of those that hold them all.
void AccessJudge::look(const LiveSegments& live, const Exchanges& exchanges, Current& current) {
  uint64_t done = 0;
  while (done < access_.range.length) {
    const uint64_t at = access_.range.offset + done;
    const LiveSegments::Place* place = live.find(access_.range.handle, at, access_.reading, current.exchange);
    const bool fits = place != nullptr && for_reading(place->kind) == access_.reading &&
                      (current.exchange == UINT32_MAX || place->exchange == current.exchange);
    if (!fits || !place->live()) {
      const uint64_t begin = std::min(current.begin, access_.range.offset);
      const uint64_t whole = access_.range.offset - begin + access_.range.length;
      if (const auto other = live.find_whole(access_.range.handle, begin, whole, access_.reading)) {
        current.exchange = *other;
        place = live.find(access_.range.handle, access_.range.offset, access_.reading, *other);
        access_.exchange = &exchanges.exchange(place->exchange);
        access_.segment = &access_.exchange->segments[place->segment];
        return;
      }
      access_.astray = at;
      return explain(live, exchanges, place);
    }
    if (access_.exchange == nullptr) {
      access_.exchange = &exchanges.exchange(place->exchange);
      access_.segment = &access_.exchange->segments[place->segment];
    }
    current.exchange = place->exchange;
    done += place->length - (at - place->offset);
  }
}

// Why the byte at `astray` is not covered; `near` is what holds it nevertheless.
void AccessJudge::explain(const LiveSegments& live, const Exchanges& exchanges,
                          const LiveSegments::Place* near) {
  const auto name = [&](const LiveSegments::Place& place) {
    if (access_.exchange == nullptr) {
      access_.exchange = &exchanges.exchange(place.exchange);
      access_.segment = &access_.exchange->segments[place.segment];
    }
  };
  const LiveSegments::Place* any = live.find_any(access_.range.handle);
  if (near == nullptr && any != nullptr && any->rescinded) {
    near = any;
  }
  if (near != nullptr && !near->live()) {
    const Exchange& over = exchanges.exchange(near->exchange);
    access_.retired = retired_of(over, over.segments[near->segment]);
    access_.retired->invalidated = near->rescinded.has_value();
    if (near->rescinded) {
      access_.retired->over = near->rescinded;
    }
    access_.verdict = verdict_on(*access_.retired);
    return name(*near);
  }
  if (near != nullptr) {
    name(*near);
    access_.verdict = for_reading(near->kind) == access_.reading ? Verdict::outside : Verdict::wrong_kind;
    return;
  }
  if (access_.exchange != nullptr || (any != nullptr && any->live())) {
    if (any != nullptr) {
      name(*any);
    }
    access_.verdict = Verdict::outside;
    return;
  }
  if (const Retired* retired = find_retired(access_.range.handle, access_.astray)) {
    access_.retired = *retired;
    access_.verdict = verdict_on(*retired);
    return;
  }
  access_.verdict = Verdict::never_offered;
}

std::optional<Stamp> AccessJudge::rescinded(rdma::Side owner, uint32_t handle) const {
  const std::vector<Retired>& ring = retired_[rdma::index(owner)];
  const size_t newest = next_[rdma::index(owner)] + ring.size();
  for (size_t back = 1; back <= ring.size(); ++back) {
    const Retired& one = ring[(newest - back) % ring.size()];
    if (one.target.handle == handle) {
      return one.invalidated ? one.over : std::nullopt;
    }
  }
  return std::nullopt;
}

// The newest that holds the byte, else the newest under the handle.
const Retired* AccessJudge::find_retired(uint32_t handle, uint64_t offset) const {
  const std::vector<Retired>& ring = retired_[rdma::index(access_.owner)];
  const size_t newest = next_[rdma::index(access_.owner)] + ring.size();
  const Retired* any = nullptr;
  for (size_t back = 1; back <= ring.size(); ++back) {
    const Retired& one = ring[(newest - back) % ring.size()];
    if (one.target.handle != handle) {
      continue;
    }
    if (offset >= one.target.offset && offset - one.target.offset < one.target.length) {
      return &one;
    }
    any = any == nullptr ? &one : any;
  }
  return any;
}

}  // namespace steertag::flow
