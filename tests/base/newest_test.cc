#include "base/newest.h"

#include <catch2/catch.hpp>

using steertag::base::Newest;

namespace {

constexpr auto kNever = [](int) { return false; };

}  // namespace

TEST_CASE("the newest items are kept in order, the oldest give way") {
  Newest<int, 100> newest;
  for (int i = 0; i < 250; ++i) {
    newest.add(i, kNever);
  }
  REQUIRE(newest.size() == 100);
  CHECK(newest[0] == 150);
  CHECK(newest[99] == 249);
  CHECK(*newest.find([](int i) { return i % 100 == 7; }) == 207);
  CHECK(newest.find([](int i) { return i < 150; }) == nullptr);
}

TEST_CASE("room for one more is the caller's to fill in, and counts at once") {
  Newest<int, 100> newest;
  for (int i = 0; i < 250; ++i) {
    newest.next(kNever) = i;
    CHECK(newest[newest.size() - 1] == i);
  }
  REQUIRE(newest.size() == 100);
  CHECK(newest[0] == 150);
}

TEST_CASE("what is done gives way before the ring grows") {
  Newest<int, 100> newest;
  for (int i = 0; i < 250; ++i) {
    newest.add(i, [=](int oldest) { return oldest < i - 10; });
  }
  CHECK(newest.size() < 100);
  CHECK(newest[newest.size() - 1] == 249);
}

TEST_CASE("items in order are searched by halves") {
  Newest<int, 64> newest;
  CHECK(newest.partition([](int) { return true; }) == 0);
  for (int i = 0; i < 150; i += 2) {
    newest.add(i, kNever);
  }
  for (size_t i = 0; i < newest.size(); ++i) {
    const int item = newest[i];
    CHECK(newest.partition([=](int other) { return other < item; }) == i);
    CHECK(newest.partition([=](int other) { return other <= item; }) == i + 1);
  }
}
