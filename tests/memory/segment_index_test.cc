// Which of the advertised segments holds a byte, and which of several it is.
#include "memory/segment_index.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <vector>

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::memory;

namespace {

struct IndexFixture {
  SegmentIndex index;
  uint64_t ordinal = 0;

  SegmentIndex::Node add(uint32_t handle, uint64_t begin, uint64_t length, bool reading = false) {
    Place place;
    place.handle = handle;
    place.reading = reading;
    place.ordinal = ++ordinal;
    if (length != 0) {
      place.begin = begin;
      place.last = last_of(begin, length);
    }
    place.reach = place.last;
    REQUIRE(index.reserve(handle) != SegmentIndex::Room::full);
    return index.add(place);
  }
  SegmentIndex::Node at(uint32_t handle, uint64_t byte,
                        SegmentIndex::Among among = SegmentIndex::Among::live) const {
    return index.find(handle, false, SegmentIndex::Query::byte(byte, among));
  }
};

}  // namespace

TEST_CASE_METHOD(IndexFixture, "each handle is visited once") {
  add(7, 100, 50);
  add(7, 150, 50);
  add(9, 100, 50, true);
  std::multiset<uint32_t> visited;
  index.each_handle([&](uint32_t handle) { visited.insert(handle); });
  CHECK(visited == std::multiset<uint32_t>{7, 9});
}

TEST_CASE_METHOD(IndexFixture, "a byte is found in the segment of its handle that holds it") {
  const auto low = add(7, 100, 50);
  const auto high = add(7, 150, 50);
  add(8, 100, 100);
  CHECK(at(7, 99) == SegmentIndex::kNone);
  CHECK(at(7, 100) == low);
  CHECK(at(7, 149) == low);
  CHECK(at(7, 150) == high);
  CHECK(at(7, 200) == SegmentIndex::kNone);
  CHECK(at(9, 100) == SegmentIndex::kNone);
}

TEST_CASE_METHOD(IndexFixture, "the newest wins, an open one before a closed one, a live one before both") {
  const auto first = add(7, 0, 10);
  const auto second = add(7, 0, 10);
  CHECK(at(7, 5) == second);
  index.set(second, {.open = false, .leads = true});
  CHECK(at(7, 5) == first);
  CHECK(at(7, 5, SegmentIndex::Among::all) == second);
  index.invalidate(7, Stamp{.number = 3});
  CHECK(at(7, 5) == SegmentIndex::kNone);
  CHECK(at(7, 5, SegmentIndex::Among::open) == first);
  CHECK(index.invalidated(first)->number == 3);
  const auto third = add(7, 0, 10);
  CHECK_FALSE(index.invalidated(third));
  CHECK(at(7, 5) == third);
}

TEST_CASE_METHOD(IndexFixture,
                 "what is for writing and what is for reading are looked for apart, and together") {
  const auto write = add(7, 0, 10);
  const auto read = add(7, 0, 10, true);
  CHECK(at(7, 5) == write);
  CHECK(index.find(7, true, SegmentIndex::Query::byte(5)) == read);
  CHECK(index.find_any(7) == read);
  index.set(read, {.open = false, .leads = true});
  CHECK(index.find_any(7) == write);
}

TEST_CASE_METHOD(IndexFixture, "a segment without bytes holds none, but its handle is known") {
  const auto empty = add(7, 0, 0);
  CHECK(at(7, 0) == SegmentIndex::kNone);
  CHECK(at(7, 1) == SegmentIndex::kNone);
  CHECK(index.find_any(7) == empty);
  CHECK(index.remove(empty));
  CHECK(index.find_any(7) == SegmentIndex::kNone);
}

TEST_CASE_METHOD(IndexFixture, "memory ends where a segment may end, too") {
  const auto last = add(7, UINT64_MAX - 9, 10);
  CHECK(at(7, UINT64_MAX) == last);
  CHECK(index.at(last).last == UINT64_MAX);
  CHECK(last_of(UINT64_MAX - 9, 11) == UINT64_MAX);
}

TEST_CASE_METHOD(IndexFixture, "of those that hold the byte the newest that reaches far enough is chosen") {
  const auto far = add(7, 0, 100);
  add(7, 0, 10);
  CHECK(index.find(7, false, {.begin = 0, .last = 0, .reach = 50}) == far);
  CHECK(index.find(7, false, {.begin = 0, .last = 0, .reach = 100}) == SegmentIndex::kNone);
}

TEST_CASE_METHOD(IndexFixture, "a handle takes so many places and no more") {
  for (uint32_t i = 0; i < SegmentIndex::kMaxUnderHandle; ++i) {
    add(7, i, 1);
  }
  CHECK(index.reserve(7) == SegmentIndex::Room::full);
  CHECK(index.reserve(8) == SegmentIndex::Room::first);
}

TEST_CASE_METHOD(IndexFixture,
                 "places that share bytes are visited in order, but for those that do not lead") {
  const auto second = add(7, 20, 10);
  const auto first = add(7, 10, 15);
  add(7, 40, 10);
  const auto follows = add(7, 22, 3);
  index.set(follows, {.open = true, .leads = false});
  std::vector<SegmentIndex::Node> seen;
  index.each_overlap(7, false, 15, 39, [&](SegmentIndex::Node node) { seen.push_back(node); });
  CHECK(seen == std::vector<SegmentIndex::Node>{first, second});
}

// What is found is what a look at all places finds, whatever comes and goes.
TEST_CASE("a forest finds the newest as a list does") {
  IntervalForest forest;
  IntervalForest::Node root = IntervalForest::kNone;
  std::vector<IntervalForest::Node> nodes;
  std::mt19937 random(7);
  for (uint64_t step = 1; step <= 4000; ++step) {
    const uint32_t what = random() % 4;
    if (what == 0 && !nodes.empty()) {
      std::swap(nodes[random() % nodes.size()], nodes.back());
      forest.remove(root, nodes.back());
      nodes.pop_back();
    } else if (what == 1 && !nodes.empty()) {
      forest.set(root, nodes[random() % nodes.size()], {.open = false, .leads = false});
    } else {
      Place place;
      place.begin = random() % 200;
      place.last = place.begin + random() % 20;
      place.reach = place.last + random() % 20;
      place.ordinal = step;
      nodes.push_back(forest.add(root, place));
    }
    forest.check(root);
    using Among = IntervalForest::Among;
    const IntervalForest::Query query{.begin = random() % 220,
                                      .last = query.begin + random() % 3,
                                      .reach = random() % 230,
                                      .among = random() % 2 == 0 ? Among::open : Among::all};
    IntervalForest::Node newest = IntervalForest::kNone;
    size_t visits = 0;
    for (const IntervalForest::Node node : nodes) {
      const Place& p = forest.at(node);
      const bool shares = p.begin <= query.last && p.last >= query.begin;
      visits += shares && p.open && p.leads ? 1 : 0;
      if (shares && p.reach >= query.reach && (p.open || query.among == Among::all) &&
          (newest == IntervalForest::kNone || p.ordinal > forest.at(newest).ordinal)) {
        newest = node;
      }
    }
    REQUIRE(forest.newest(root, query) == newest);
    forest.each(root, query.begin, query.last, [&](IntervalForest::Node) { --visits; });
    REQUIRE(visits == 0);
  }
}
