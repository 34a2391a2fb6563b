#include "sanitize/checksum.h"

#include <catch2/catch.hpp>
#include <vector>

#include "link/frames.h"
#include "link/internet_checksum.h"
#include "sanitize/made.h"

namespace steertag::sanitize {
namespace {

using Octets = std::vector<uint8_t>;

uint32_t field(const Octets& bytes) {
  return uint32_t{bytes[0]} << 8 | bytes[1];
}

// Eight bytes that begin with their checksum.
Octets summed() {
  Octets bytes = {0, 0, 1, 2, 3, 4, 5, 6};
  const uint32_t sum = 0xFFFF - link::ones_sum(bytes);
  bytes[0] = static_cast<uint8_t>(sum >> 8);
  bytes[1] = static_cast<uint8_t>(sum);
  return bytes;
}

TEST_CASE("a checksum that was right is right again") {
  const Octets before = summed();
  Octets after = before;
  after[5] = 99;
  mend(kKey, before, after, {});
  CHECK(link::ones_sum(after) == 0xFFFF);
}

TEST_CASE("one that was wrong stays wrong, and none stays none") {
  Octets before = summed();
  before[0] ^= 1;
  Octets after = before;
  mend(kKey, before, after, {});
  CHECK(link::ones_sum(after) != 0xFFFF);
  CHECK(field(after) != field(before));
  before[0] = before[1] = 0;
  for (const uint32_t pseudo : {0, 0x1234}) {
    after = before;
    mend(kKey, before, after, {.pseudo_before = pseudo, .pseudo_after = pseudo});
    CHECK(field(after) == 0);
  }
}

TEST_CASE("whatever a wrong checksum is, none of them becomes right") {
  const Octets right = summed();
  size_t became_right = 0;
  for (uint8_t content = 0; content < 4; ++content) {
    for (uint32_t carried = 1; carried <= 0xFFFF; ++carried) {
      Octets before = right;
      before[0] = static_cast<uint8_t>(carried >> 8);
      before[1] = static_cast<uint8_t>(carried);
      if (link::ones_sum(before) == 0xFFFF) {
        continue;
      }
      Octets after = before;
      after[5] = content;
      mend(kKey, before, after, {});
      became_right += link::ones_sum(after) == 0xFFFF ? 1 : 0;
    }
  }
  CHECK(became_right == 0);
}

TEST_CASE("one that was left to the adapter still is that of the pseudo-header") {
  const Octets before = {0x12, 0x34, 1, 2};
  Octets after = before;
  mend(kKey, before, after, {.pseudo_before = 0x1234, .pseudo_after = 0x4321});
  CHECK(field(after) == 0x4321);
}

TEST_CASE("one that was left to an adapter which cuts up the segment still lacks the length") {
  constexpr uint32_t kLength = 0x0123;
  const Octets before = {0x11, 0x11, 1, 2};
  REQUIRE(field(before) == link::without_length(0x1234, kLength));
  for (const uint32_t length : {kLength, kLength + 1}) {
    Octets after = before;
    mend(kKey, before, after, {.pseudo_before = 0x1234, .pseudo_after = 0x4321, .length = length});
    CHECK((field(after) == 0x4321 - kLength) == (length == kLength));
  }
  CHECK(link::without_length(1, 2) == 0xFFFE);
  CHECK(link::without_length(2, 2) == 0xFFFF);
}

TEST_CASE("where a sender leaves them to its adapter, one that is right by chance is left to it as well") {
  const Octets before = {0x12, 0x34, 0xDB, 0x97};
  REQUIRE(link::ones_sum(before, 0x1234) == 0xFFFF);
  using Left = Internet::Left;
  for (const Left left : {Left::nothing, Left::some, Left::all}) {
    Octets after = before;
    after[3] = 1;
    mend(kKey, before, after, {.pseudo_before = 0x1234, .pseudo_after = 0x4321, .left = left});
    CHECK((field(after) == 0x4321) == (left == Left::all));
    CHECK((link::ones_sum(after, 0x4321) == 0xFFFF) == (left != Left::all));
  }
}

TEST_CASE("where a sender leaves some to its adapter, it is not seen which") {
  using Left = Internet::Left;
  const Octets before = {0x12, 0x34, 1, 2};
  for (const Left left : {Left::nothing, Left::some, Left::all}) {
    Octets after = before;
    mend(kKey, before, after, {.pseudo_before = 0x1234, .pseudo_after = 0x4321, .left = left});
    CHECK((link::ones_sum(after, 0x4321) == 0xFFFF) == (left == Left::some));
    CHECK((field(after) == 0x4321) == (left != Left::some));
  }
}

TEST_CASE("one over bytes that were not captured tells nothing of them") {
  const Octets before = summed();
  Octets after = before;
  mend(kKey, before, after, {.whole = false});
  CHECK(field(after) != field(before));
  Octets again = before;
  mend(kKey, before, again, {.whole = false});
  CHECK(again == after);
}

TEST_CASE("a frame check sequence is made anew where there is one") {
  Octets frame = link::test::counting(64);
  Octets after = frame;
  CHECK_FALSE(mend_fcs(frame, after));
  CHECK(after == frame);
  // That of 60 zeros.
  frame.assign(60, 0);
  for (const uint8_t octet : {0x08, 0x89, 0x12, 0x04}) {
    frame.push_back(octet);
  }
  after = frame;
  after[20] = 7;
  CHECK(mend_fcs(frame, after));
  CHECK(mend_fcs(after, frame));
  CHECK(frame[60] == 0x08);
}

}  // namespace
}  // namespace steertag::sanitize
