#include "flow/advertised.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "flow/common.h"

namespace steertag::flow {

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

Advertised::Advertised(const track::Connection& connection, Common& common)
    : connection_(connection),
      common_(common),
      traffic_(live_, common.traffic, common.settings.payload_limit),
      account_(common.budget) {}

Followed Advertised::advertise(Advertisement& advertisement, uint32_t first) {
  const Exchange& x = *advertisement.exchange;
  Followed followed = Followed::all;
  if (advertisement.ordinal == 0) {
    seat(advertisement);
  }
  for (uint32_t i = first; i < x.segments.size(); ++i) {
    const SegmentFlow& segment = x.segments[i];
    const Side owner = owner_of(segment.kind, x.requester);
    const rpcrdma::Segment& target = segment.target;
    const SegmentIndex::Room found = live_[rdma::index(owner)].reserve(target.handle);
    ++placed_;
    if (found == SegmentIndex::Room::full) {
      followed = Followed::some;
      note_cut(owner);
      continue;
    }
    if (found == SegmentIndex::Room::first && enlisted_) {
      common_.directory.add(connection_, owner, target.handle);
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
  size_t bytes = 0;
  for (const Side owner : {Side::a, Side::b}) {
    bytes += live_[rdma::index(owner)].bytes() + retired_[rdma::index(owner)].bytes() +
             coming_[rdma::index(owner)].capacity() * sizeof(Place);
  }
  account_.set(bytes);
}

void Advertised::shrink() {
  for (SegmentIndex& live : live_) {
    live.shrink();
  }
  measure();
}

void Advertised::seat(Advertisement& advertisement) {
  advertisement.ordinal = placed_ + 1;
  if (free_seats_.empty()) {
    free_seats_.push_back(static_cast<uint32_t>(seats_.size()));
    seats_.push_back(nullptr);
  }
  advertisement.seat = free_seats_.back();
  free_seats_.pop_back();
  seats_[advertisement.seat] = &advertisement;
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
    if (common_.settings.for_rules && !one.reading && !one.empty()) {
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
  if (live.find(results.handle, false, bytes) == SegmentIndex::kNone) {
    return;
  }
  results.advertisement->exchange->shares_memory = true;
  live.each_overlap(results.handle, false, results.begin, results.last,
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
  const Exchange& x = *advertisement.exchange;
  if (std::exchange(advertisement.unreadable, false)) {
    --unreadable_[rdma::index(x.requester)];
  }
  for (const Side owner : {Side::a, Side::b}) {
    SegmentIndex& live = live_[rdma::index(owner)];
    std::vector<Node>& places = advertisement.places[rdma::index(owner)];
    for (const Node node : places) {
      const uint32_t handle = live.at(node).handle;
      traffic_.detach(owner, node);
      if (live.remove(node) && enlisted_) {
        common_.directory.remove(connection_, owner, handle);
      }
    }
    places.clear();
    if (places.capacity() > kMostPlacesKept) {
      places.shrink_to_fit();
    }
  }
  traffic_.done_detaching();
  if (std::exchange(advertisement.ordinal, 0) != 0) {
    seats_[advertisement.seat] = nullptr;
    free_seats_.push_back(advertisement.seat);
  }
  if (common_.settings.for_rules) {
    for (const SegmentFlow& segment : x.segments) {
      retired_[rdma::index(owner_of(segment.kind, x.requester))].add(x, segment);
    }
  }
  for (SegmentIndex& live : live_) {
    if (live.places() == 0 && live.bytes() > kMostBytesKept) [[unlikely]] {
      live.shrink();
    }
  }
  measure();
}

void Advertised::note_unreadable(Advertisement& advertisement) {
  advertisement.unreadable = true;
  ++unreadable_[rdma::index(advertisement.exchange->requester)];
}

void Advertised::enlist() {
  if (!common_.settings.for_rules || std::exchange(enlisted_, true)) {
    return;
  }
  for (const Side owner : {Side::a, Side::b}) {
    live_[rdma::index(owner)].each_handle(
        [&](uint32_t handle) { common_.directory.add(connection_, owner, handle); });
  }
}

const Exchange* find_advertiser(const Advertised& advertised, Side owner, uint32_t handle) {
  const SegmentIndex& live = advertised.live(owner);
  const SegmentIndex::Node node = live.find_any(handle);
  return node == SegmentIndex::kNone || !live.live(node) ? nullptr : live.at(node).advertisement->exchange;
}

std::optional<Stamp> find_invalidated(Advertised& advertised, Side owner, uint32_t handle) {
  const SegmentIndex& live = advertised.live(owner);
  const SegmentIndex::Node node = live.find_any(handle);
  if (node != SegmentIndex::kNone) {
    return live.live(node) ? std::nullopt : live.invalidated(node);
  }
  const Retired* last = advertised.retired(owner).find(handle);
  return last != nullptr && last->invalidated ? last->over : std::nullopt;
}

std::optional<Overlap> find_overlap(const Advertised& advertised, const Message& call) {
  const SegmentIndex& live = advertised.live(call.from);
  for (const auto* chunks : {&call.header->chunks.writes, &call.header->chunks.reply}) {
    for (const rpcrdma::WriteChunk& chunk : *chunks) {
      for (const rpcrdma::Segment& ours : chunk.target) {
        if (ours.length == 0) {
          continue;
        }
        const SegmentIndex::Query bytes{.begin = ours.offset,
                                        .last = last_of(ours.offset, ours.length),
                                        .among = SegmentIndex::Among::open};
        const SegmentIndex::Node write = live.find(ours.handle, false, bytes);
        const SegmentIndex::Node read = live.find(ours.handle, true, bytes);
        if (write == SegmentIndex::kNone && read == SegmentIndex::kNone) {
          continue;
        }
        const bool newer = write == SegmentIndex::kNone ||
                           (read != SegmentIndex::kNone && live.at(read).ordinal > live.at(write).ordinal);
        const Place& place = live.at(newer ? read : write);
        if (place.advertisement->exchange->xid != call.header->xid) {
          return Overlap{&ours, place.advertisement->exchange, &place.advertisement->segment(place)};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace steertag::flow
