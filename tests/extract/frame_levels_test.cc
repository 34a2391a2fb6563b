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

TEST_CASE("beyond the bound of pages nothing new is remembered, and what is known stays") {
  CHECK(FrameLevels::kMostPages == size_t{1} << 18);
  FrameLevels levels(2);
  CHECK(levels.lower({.number = 0}, 1));
  CHECK(levels.lower({.number = FrameLevels::kPage}, 1));
  CHECK_FALSE(levels.full());
  CHECK_FALSE(levels.lower({.number = 2 * FrameLevels::kPage}, 1));
  CHECK(levels.full());
  CHECK_FALSE(levels.has({.number = 2 * FrameLevels::kPage}));
  CHECK(levels.lower({.number = 1}, 3));  // on a page that is there
  CHECK(levels.at({.number = 0}) == 1);
  CHECK(levels.size() == 3);
}

}  // namespace
}  // namespace steertag::extract
