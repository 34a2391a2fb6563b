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

}  // namespace
}  // namespace steertag::extract
