#include "extract/frame_levels.h"

#include <catch2/catch.hpp>

namespace steertag::extract {
namespace {

TEST_CASE("a frame has the lowest level that was said of it") {
  FrameLevels levels;
  const Stamp frame{.number = 4096, .file = 1};
  CHECK(levels.at(frame) == FrameLevels::kNone);
  CHECK(levels.lower(frame, 3));
  CHECK_FALSE(levels.lower(frame, 5));
  CHECK_FALSE(levels.lower(frame, 2));
  CHECK(levels.at(frame) == 2);
  CHECK(levels.size() == 1);
}

TEST_CASE("frames of the same number in other files, and their neighbours, are others") {
  FrameLevels levels;
  levels.lower({.number = 4096, .file = 1}, 0);
  for (const Stamp& other : {Stamp{.number = 4096, .file = 0}, Stamp{.number = 4095, .file = 1},
                             Stamp{.number = 4097, .file = 1}, Stamp{.number = 8192, .file = 1}}) {
    CHECK_FALSE(levels.has(other));
  }
}

TEST_CASE("there is a bound to the pages, and what is known already stays") {
  FrameLevels levels;
  const uint64_t page = 4096;
  // A page takes 4 KiB: 1 GiB would do no good to a test, so the bound is looked at, not reached.
  static_assert(FrameLevels::kMostPages * page == uint64_t{1} << 30);
  for (uint64_t number = 0; number < 1000 * page; number += page) {
    levels.lower({.number = number}, 1);
  }
  CHECK(levels.size() == 1000);
  CHECK_FALSE(levels.full());
}

}  // namespace
}  // namespace steertag::extract
