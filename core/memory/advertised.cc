#include "memory/advertised.h"

#include <algorithm>

namespace steertag::memory {
namespace {

constexpr size_t kMostPlacesKept = 64;        // places that an Advertisement keeps memory for
constexpr size_t kMostBytesKept = 256 << 10;  // of a SegmentIndex that nothing is in

// `places` are in order.
void find_reach(std::vector<Place>& places) {
  for (size_t first = 0; first < places.size();) {
    uint64_t reach = places[first].last;
    size_t behind = first;
    for (; behind < places.size() && places[behind].handle == places[first].handle &&
           places[behind].reading == places[first].reading &&
           (places[behind].begin <= reach || places[behind].begin - 1 == reach);
         ++behind) {
      reach = std::max(reach, places[behind].last);
    }
    for (behind = std::max(behind, first + 1); first < behind; ++first) {
      places[first].reach = reach;
    }
  }
}

}  // namespace

Followed Advertised::advertise(Advertisement& advertisement, uint32_t first) {
  const Exchange& x = *advertisement.exchange;
  Followed followed = Followed::all;
  if (first == x.segments.size()) {
    return followed;
  }
  if (advertisement.ordinal == 0) {
    seats_.take(advertisement, placed_ + 1);
  }
  for (uint32_t i = first; i < x.segments.size(); ++i) {
    const SegmentFlow& segment = x.segments[i];
    const Side owner = owner_of(segment.kind, x.requester);
    const rpcrdma::Segment& target = segment.target;
    const SegmentIndex::Room found = live_[rdma::index(owner)].reserve(target.handle);
    ++placed_;
    if (found == SegmentIndex::Room::full) {
      followed = Followed::some;
      unread_.note_cut(owner);
      continue;
    }
    if (found == SegmentIndex::Room::first && judge_ != nullptr) {
      judge_->on_first(owner, target.handle);
    }
    Place& place = coming_[rdma::index(owner)].emplace_back();
    set_bytes(place, target);
    place.ordinal = placed_;
    place.advertisement = &advertisement;
    place.segment = i;
    place.handle = target.handle;
    place.reading = for_reading(segment.kind);
  }
  for (const Side owner : {Side::a, Side::b}) {
    place(advertisement, owner);
  }
  measure();
  return followed;
}

void Advertised::measure() {
  size_t bytes = judge_ != nullptr ? judge_->bytes() : 0;
  for (const Side owner : {Side::a, Side::b}) {
    bytes += live_[rdma::index(owner)].bytes() + coming_[rdma::index(owner)].capacity() * sizeof(Place);
  }
  account_.set(bytes);
}

void Advertised::shrink() {
  for (SegmentIndex& live : live_) {
    live.shrink(0);
  }
  measure();
}

void Advertised::place(Advertisement& advertisement, Side owner) {
  std::vector<Place>& coming = coming_[rdma::index(owner)];
  if (coming.empty()) {
    return;
  }
  std::sort(coming.begin(), coming.end(),
            [](const Place& x, const Place& y) { return place_order(x) < place_order(y); });
  find_reach(coming);
  for (const Place& one : coming) {
    if (judge_ != nullptr && !one.reading && !one.empty()) {
      mark_shared(one);
    }
    advertisement.places[rdma::index(owner)].push_back(live_[rdma::index(owner)].add(one));
  }
  coming.clear();
}

// Before it is there itself: who has advertised these bytes for results, too, and was not answered. Who is
// marked needs no further visit, so that place no longer leads.
void Advertised::mark_shared(const Place& results) {
  SegmentIndex& live = live_[rdma::index(results.advertisement->exchange->requester)];
  const SegmentIndex::Query bytes{
      .begin = results.begin, .last = results.last, .among = SegmentIndex::Among::open};
  if (live.find(results.handle, kToWrite, bytes) == SegmentIndex::kNone) {
    return;
  }
  results.advertisement->exchange->shares_memory = true;
  live.each_overlap(results.handle, kToWrite, results.begin, results.last,
                    [&](Node node) { marked_.push_back(node); });
  for (const Node node : marked_) {
    live.at(node).advertisement->exchange->shares_memory = true;
    live.set(node, {.open = true, .leads = false});
  }
  marked_.clear();
}

void Advertised::end(Advertisement& advertisement, Side owner) {
  SegmentIndex& live = live_[rdma::index(owner)];
  for (const Node node : advertisement.places[rdma::index(owner)]) {
    if (live.at(node).open) {
      traffic_.detach(owner, node);
      live.set(node, {.open = false, .leads = live.at(node).leads});
    }
  }
  traffic_.done_detaching();
}

void Advertised::invalidate(Side owner, uint32_t handle, const Stamp& by) {
  live_[rdma::index(owner)].invalidate(handle, by);
}

void Advertised::withdraw(Advertisement& advertisement) {
  unread_.note_over(advertisement);
  for (const Side owner : {Side::a, Side::b}) {
    SegmentIndex& live = live_[rdma::index(owner)];
    std::vector<Node>& places = advertisement.places[rdma::index(owner)];
    for (const Node node : places) {
      const uint32_t handle = live.at(node).handle;
      traffic_.detach(owner, node);
      if (live.remove(node) && judge_ != nullptr) {
        judge_->on_last(owner, handle);
      }
    }
    places.clear();
    if (places.capacity() > kMostPlacesKept) {
      places.shrink_to_fit();
    }
  }
  traffic_.done_detaching();
  seats_.leave(advertisement);
  if (judge_ != nullptr) {
    judge_->on_withdrawn(*advertisement.exchange);
  }
  for (SegmentIndex& live : live_) {
    live.shrink(kMostBytesKept);
  }
  measure();
}

}  // namespace steertag::memory
