// The options of a TCP segment, whole, cut and malformed; and which selective acknowledgment says that
// something came twice.
#include "link/tcp_options.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace steertag;
using namespace steertag::link;

namespace {

// Kind 5, with blocks, after what stands before it.
std::vector<uint8_t> sack(const std::vector<SequenceRange>& blocks, std::vector<uint8_t> before = {1, 1}) {
  std::vector<uint8_t> bytes = std::move(before);
  bytes.push_back(5);
  bytes.push_back(static_cast<uint8_t>(2 + 8 * blocks.size()));
  for (const SequenceRange& block : blocks) {
    for (const uint32_t word : {block.begin, block.end}) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<uint8_t>(word >> shift));
      }
    }
  }
  return bytes;
}

bool twice(const std::vector<uint8_t>& options, uint32_t acknowledgment) {
  return received_twice(options, acknowledgment).has_value();
}

}  // namespace

TEST_CASE("TCP options: the blocks of a selective acknowledgment are found behind others") {
  for (const std::vector<uint8_t>& before :
       {std::vector<uint8_t>{}, {1}, {1, 1, 1}, {8, 10, 0, 0, 0, 0, 0, 0, 0, 0}, {2, 4, 5, 0xb4, 3, 3, 7}}) {
    const std::vector<uint8_t> options = sack({{100, 200}}, before);
    const auto blocks = find_sack(options);
    REQUIRE(blocks);
    CHECK(blocks->size() == 8);
    CHECK((*blocks)[3] == 100);
  }
  CHECK_FALSE(find_sack({}));
  CHECK_FALSE(find_sack(std::vector<uint8_t>{1, 1, 1, 1}));
  CHECK_FALSE(find_sack(std::vector<uint8_t>{8, 10, 5, 10, 0, 0, 0, 0, 0, 0}));  // within another
  CHECK_FALSE(find_sack(sack({{1, 2}}, {0})));                                   // behind the end
}

TEST_CASE("TCP options: a length that is wrong, and options that are cut") {
  for (const uint8_t length : {0, 1, 2}) {
    CHECK(find_sack(sack({{1, 2}}, {77, length})));  // no shorter than its own two bytes
  }
  CHECK_FALSE(find_sack(sack({{1, 2}}, {77, 255})));
  std::vector<uint8_t> options = sack({{100, 200}, {300, 400}});
  for (const uint8_t length : {0, 1, 2, 9}) {
    options[3] = length;
    CHECK_FALSE(received_twice(options, 1000));
  }
  options[3] = 255;  // more than there is
  CHECK(find_sack(options)->size() == 16);
  CHECK(twice(options, 1000));
  for (size_t length = 0; length <= options.size(); ++length) {
    const std::vector<uint8_t> cut(options.begin(), options.begin() + static_cast<ptrdiff_t>(length));
    CHECK(twice(cut, 1000) == (length >= 12));
    CHECK(find_sack(cut).has_value() == (length >= 3));
  }
}

TEST_CASE("TCP options: what was received twice lies before the acknowledgment, or in the second block") {
  CHECK(twice(sack({{100, 200}}), 200));
  CHECK(twice(sack({{100, 200}}), 1000));
  CHECK_FALSE(twice(sack({{100, 200}}), 199));  // it waits behind a hole
  CHECK_FALSE(twice(sack({{100, 200}}), 50));
  CHECK(twice(sack({{100, 200}, {100, 300}}), 50));
  CHECK(twice(sack({{100, 200}, {50, 200}}), 50));
  CHECK_FALSE(twice(sack({{100, 200}, {101, 300}}), 50));
  CHECK_FALSE(twice(sack({{100, 200}, {50, 199}}), 50));
  CHECK_FALSE(twice(sack({{300, 400}, {100, 200}}), 50));
  CHECK_FALSE(twice(sack({}), 1000));
  const auto block = received_twice(sack({{0xFFFFFF00, 0x10}}), 0x20);  // sequence numbers wrap
  REQUIRE(block);
  CHECK(block->begin == 0xFFFFFF00);
  CHECK(block->end == 0x10);
  CHECK_FALSE(twice(sack({{0x10, 0x20}}), 0xFFFFFFF0));
}
