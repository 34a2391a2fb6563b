// How much a TcpStream holds, and how far away it lets itself be led.
#include <catch2/catch.hpp>
#include <string>

#include "link/tcp_stream.h"
#include "link/tcp_wire.h"

using namespace steertag;
using namespace steertag::link::test;

TEST_CASE("a capture that was off for long is taken up where it goes on") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abc");
  for (uint32_t i = 0; i < link::kStrayPatience; ++i) {
    wire.send(0, 0x90000000u + 3 * i, "xyz");
  }
  REQUIRE(wire.out.heard.size() == 3);
  CHECK(wire.out.heard[1].substr(0, 6) == "0:hole");
  CHECK(wire.out.offset[0] % (uint64_t{1} << 32) == 0x90000000u + 3 * link::kStrayPatience);
}

TEST_CASE(
    "what lies far ahead waits where its receiver has acknowledged what lies before it, else it is stray") {
  constexpr uint32_t kFar = 0x30000000;
  Wire stray;
  stray.syn();
  stray.send(0, 0, "abc");
  stray.send(0, kFar, "xyz");
  CHECK_FALSE(stray.stream.anything_held());
  Wire off;
  off.syn();
  off.send(0, 0, "abc");
  off.send(1, 0, "", kFar);
  off.send(0, kFar, "xyz");
  CHECK(off.stream.anything_held());
}

TEST_CASE("who was far away, and came back, was not off") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abc");
  for (uint32_t i = 1; i < link::kStrayPatience; ++i) {
    wire.send(0, 0x90000000u, "xyz");
  }
  wire.send(0, 3, "def");
  wire.send(0, 0x90000000u, "xyz");
  wire.send(0, 6, "ghi");
  CHECK(wire.out.heard == Heard{"0:abc", "0:def", "0:ghi"});
}

TEST_CASE("an acknowledgment far outside of the window proves no hole") {
  for (const uint32_t acked : {0x60000000u, 0xA0000000u}) {
    Wire wire;
    wire.syn();
    wire.send(0, 0, "abc");
    wire.send(1, 0, "", acked);
    for (uint32_t i = 0; i < 2 * link::kHolePatience; ++i) {
      wire.send(0, 10 + i, "x");
    }
    CHECK(wire.out.heard == Heard{"0:abc"});
    CHECK(wire.stream.acknowledged(0) == 0);
  }
}

TEST_CASE("what is held has a bound") {
  Wire wire;
  wire.syn();
  const std::string large(60000, 'x');
  const auto count = static_cast<uint32_t>(link::kMaxHeldBytes / large.size() + 2);
  for (uint32_t i = 0; i < count; ++i) {
    wire.send(0, 10 + i * 60000, large);
  }
  CHECK(wire.out.heard.size() == count + 1);
  CHECK(wire.out.heard.front() == "0:hole(10)");
}

TEST_CASE("tiny segments have a bound as well") {
  Wire wire;
  wire.syn();
  for (uint32_t i = 0; i < 3 * link::kMaxHeldSegments; ++i) {
    wire.send(0, 10 + 2 * i, "x");
  }
  CHECK(wire.out.heard.size() > 2 * link::kMaxHeldSegments);
}

TEST_CASE("what was held, and is no more, counts no more") {
  Wire wire;
  wire.syn();
  const std::string large(60000, 'x');
  uint32_t at = 0;
  for (size_t held = 0; held <= link::kMaxHeldBytes; held += large.size()) {
    wire.send(0, at + 1, large);
    wire.send(0, at, "x");
    at += 60001;
  }
  CHECK(wire.out.data[0].size() == at);
  wire.send(0, at + 1, "x");
  CHECK(wire.out.offset[0] == at);
}
