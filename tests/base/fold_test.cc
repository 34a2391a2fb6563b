// Keys of several words mixed into one.
#include "base/fold.h"

#include <array>
#include <catch2/catch.hpp>
#include <set>

namespace steertag::base {

TEST_CASE("fold: neighbours get results far apart, and none twice") {
  std::set<uint64_t> results, places;
  for (uint64_t x = 0; x < 64; ++x) {
    for (uint64_t y = 0; y < 64; ++y) {
      const uint64_t result = fold(x ^ kSalt[0], y ^ kSalt[1]);
      results.insert(result);
      places.insert(result % 4096);
    }
  }
  CHECK(results.size() == 64 * 64);
  CHECK(places.size() > 2300);  // of 4096, as many as chance gives
}

TEST_CASE("fold: the order of the words matters where they have salts of their own") {
  CHECK(fold(1 ^ kSalt[2], 2 ^ kSalt[3]) != fold(2 ^ kSalt[2], 1 ^ kSalt[3]));
}

TEST_CASE("word: bytes that are not there are zeros") {
  const std::array<uint8_t, 10> bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::array<uint8_t, 8> end = {9, 10, 0, 0, 0, 0, 0, 0};
  CHECK(word(bytes, 8) == word(end));
  CHECK(word(bytes, 10) == 0);
  CHECK(word(Bytes()) == 0);
  CHECK(word(bytes) != word(bytes, 1));
}

}  // namespace steertag::base
