#include "memory/access_judge.h"

#include <utility>

#include "memory/advertised.h"

namespace steertag::memory {
namespace {

using Node = SegmentIndex::Node;
constexpr Node kNone = SegmentIndex::kNone;

// A Call that was sent more than once gets as many Replies, and the peer may still serve one of the copies.
Verdict verdict_on(const Retired& segment) {
  return segment.over && segment.invalidated ? Verdict::after_invalidate
         : segment.over && !segment.resent   ? Verdict::after_reply
                                             : Verdict::forgotten;
}

// What holds the byte nevertheless: what is for such an operation before what is not, what is live before
// what is not, what the same Call advertises before what others do.
Node find_near(const Access& access, const Advertised& advertised, const Advertisement* chosen) {
  const SegmentIndex& live = advertised.live(access.owner);
  const uint32_t handle = access.range.handle;
  for (const bool reading : {access.reading, !access.reading}) {
    const Node own =
        chosen != nullptr ? chosen->find(live, access.owner, handle, reading, access.astray) : kNone;
    const Node newest = live.find(handle, reading, SegmentIndex::Query::byte(access.astray));
    if (newest != kNone) {
      return own != kNone && live.live(own) ? own : newest;
    }
    const Node over =
        live.find(handle, reading, SegmentIndex::Query::byte(access.astray, SegmentIndex::Among::all));
    if (over != kNone) {
      return own != kNone ? own : over;
    }
  }
  return kNone;
}

void name(Access& access, const Place& place) {
  if (access.exchange == nullptr) {
    access.exchange = place.advertisement->exchange;
    access.segment = &place.advertisement->segment(place);
  }
}

void explain_over(Access& access, const SegmentIndex& live, Node near) {
  const Place& place = live.at(near);
  access.retired = retired_of(*place.advertisement->exchange, place.advertisement->segment(place));
  const std::optional<Stamp> invalidated = live.invalidated(near);
  access.retired->invalidated = invalidated.has_value();
  if (invalidated) {
    access.retired->over = invalidated;
  }
  access.verdict = verdict_on(*access.retired);
  name(access, place);
}

}  // namespace

void AccessJudge::enlist(const Advertised& advertised) {
  if (std::exchange(enlisted_, true)) {
    return;
  }
  for (const Side owner : {Side::a, Side::b}) {
    advertised.live(owner).each_handle([&](uint32_t handle) { directory_.add(connection_, owner, handle); });
  }
}

void AccessJudge::on_first(Side owner, uint32_t handle) {
  if (enlisted_) {
    directory_.add(connection_, owner, handle);
  }
}

void AccessJudge::on_last(Side owner, uint32_t handle) {
  if (enlisted_) {
    directory_.remove(connection_, owner, handle);
  }
}

void AccessJudge::on_withdrawn(const Exchange& over) {
  for (const SegmentFlow& segment : over.segments) {
    retired(owner_of(segment.kind, over.requester)).add(over, segment);
  }
}

void AccessJudge::explain(Access& access, const Advertised& advertised, const Advertisement* chosen) {
  const SegmentIndex& live = advertised.live(access.owner);
  Node near = find_near(access, advertised, chosen);
  const Node any = live.find_any(access.range.handle);
  if (near == kNone && any != kNone && live.invalidated(any)) {
    near = any;
  }
  if (near != kNone && !live.live(near)) {
    return explain_over(access, live, near);
  }
  if (near != kNone) {
    name(access, live.at(near));
    const bool fits = live.at(near).reading == access.reading;
    access.verdict = fits ? Verdict::outside : Verdict::wrong_kind;
    return;
  }
  if (access.exchange != nullptr || (any != kNone && live.live(any))) {
    if (any != kNone) {
      name(access, live.at(any));
    }
    access.verdict = Verdict::outside;
    return;
  }
  if (const Retired* late = retired(access.owner).find(access.range.handle, access.astray)) {
    access.retired = *late;
    access.verdict = verdict_on(*late);
    return;
  }
  access.verdict = Verdict::never_advertised;
  access.elsewhere = directory_.find(connection_, access.owner, access.range.handle);
}

}  // namespace steertag::memory
