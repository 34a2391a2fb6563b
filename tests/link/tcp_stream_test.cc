#include "link/tcp_stream.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "link/tcp_wire.h"

using namespace steertag;
using namespace steertag::link::test;

TEST_CASE("segments in order are handed on as they come") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abc");
  wire.send(1, 0, "XY", 3);
  wire.send(0, 3, "def", 2);
  CHECK(wire.out.heard == Heard{"0:abc", "1:XY", "0:def"});
  CHECK(wire.stream.from_start(0));
  CHECK(wire.stream.from_start(1));
}

TEST_CASE("duplicates, overlaps and keep-alives add nothing") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abc");
  wire.send(0, 0, "abc");
  wire.send(0, 1, "bcde");
  wire.send(0, 4, "\0");
  wire.send(0, 4, "");
  wire.send(0, 5, "fg");
  CHECK(wire.out.heard == Heard{"0:abc", "0:de", "0:fg"});
}

TEST_CASE("each segment with bytes arrives once, and is said to come again where it does") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abc");
  wire.send(0, 3, "");
  wire.send(0, 0, "abc");
  wire.send(0, 1, "bcde");
  wire.send(0, 7, "hi");
  wire.send(0, 7, "hi");
  wire.send(0, 6, "g");
  CHECK(wire.out.arrived == "0:0+3 0:0+3 again 0:1+4 again 0:7+2 0:7+2 again 0:6+1 ");
}

TEST_CASE("a byte that comes again is a keep-alive, two are bytes that were sent again") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abc");
  wire.send(0, 2, "c");
  wire.send(0, 1, "bc");
  CHECK(wire.out.arrived == "0:0+3 0:1+2 again ");
}

TEST_CASE("segments ahead of their turn wait") {
  Wire wire;
  wire.syn();
  wire.send(0, 6, "gh");
  wire.send(0, 3, "def");
  wire.send(0, 3, "def");
  wire.send(0, 5, "fghi");
  CHECK(wire.out.heard.empty());
  wire.send(0, 0, "abc");
  CHECK(wire.out.data[0] == "abcdefghi");
  CHECK(wire.out.offset[0] == 9);
}

TEST_CASE("any order of segments gives the same stream, also across a sequence wrap") {
  std::vector<uint32_t> order(6);
  std::iota(order.begin(), order.end(), 0u);
  const std::string text = "abcdefghijklmnopqr";
  do {
    Wire wire;
    wire.isn = {0xFFFFFFF8, 0xFFFFFFFF};
    wire.syn();
    for (uint32_t i : order) {
      wire.send(0, 3 * i, text.substr(3 * i, 3));
    }
    REQUIRE(wire.out.data[0] == text);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("a hole that is acknowledged and stays open is declared, and a late fill ignored") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abc");
  wire.send(0, 6, "ghi");
  wire.send(1, 0, "", 9);
  wire.send(0, 9, "jkl");
  CHECK(wire.out.heard == Heard{"0:abc"});
  wire.send(0, 12, "mno");
  CHECK(wire.out.heard == Heard{"0:abc", "0:hole(3)", "0:ghi", "0:jkl", "0:mno"});
  wire.send(0, 3, "def");
  CHECK(wire.out.heard.size() == 5);
}

TEST_CASE("a hole that nobody acknowledged is waited for") {
  Wire wire;
  wire.syn();
  for (uint32_t i = 1; i < 100; ++i) {
    wire.send(0, 3 * i, "xyz");
  }
  wire.send(1, 0, "", 0);
  CHECK(wire.out.heard.empty());
  wire.send(0, 0, "abc");
  CHECK(wire.out.heard.size() == 100);
}

TEST_CASE("an answer waits for what it acknowledges") {
  Wire wire;
  wire.syn();
  wire.send(1, 0, "reply", 4);
  CHECK(wire.out.heard.empty());
  wire.send(0, 0, "call");
  CHECK(wire.out.heard == Heard{"0:call", "1:reply"});
}

TEST_CASE("after a lost question, questions still come before their answers") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "c0");
  wire.send(1, 0, "r0", 2);
  // c1 at offset 2 is lost by the capture
  wire.send(1, 2, "r1", 4);
  wire.send(0, 4, "c2", 4);
  wire.send(1, 4, "r2", 6);
  wire.send(0, 6, "c3", 6);
  wire.send(1, 6, "r3", 8);
  wire.send(0, 8, "c4", 8);
  CHECK(wire.out.heard == Heard{"0:c0", "1:r0", "0:hole(2)", "1:r1", "0:c2", "1:r2", "0:c3", "1:r3", "0:c4"});
}

TEST_CASE("an answer to a question that nothing follows is not held for ever") {
  Wire wire;
  wire.syn();
  for (uint32_t i = 0; i <= link::kCausePatience; ++i) {
    wire.send(1, 2 * i, "ab", 7);
  }
  CHECK(wire.out.heard.size() == link::kCausePatience + 2);
  CHECK(wire.out.heard.front() == "0:hole(7)");
}

TEST_CASE("finish hands on what is held and declares acknowledged tails") {
  Wire wire;
  wire.syn();
  wire.send(0, 3, "def");
  wire.send(1, 0, "x", 10);
  wire.finish();
  CHECK(wire.out.heard == Heard{"0:hole(3)", "0:def", "0:hole(4)", "1:x"});
}

TEST_CASE("missing tails count as length, not as bytes") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abcdef", 0, 4);
  wire.send(0, 6, "ghi");
  CHECK(wire.out.heard == Heard{"0:ab", "0:ghi"});
}

TEST_CASE("FIN comes in its turn, once, RST at once") {
  Wire wire;
  wire.syn();
  wire.fin(0, 3);
  wire.send(0, 0, "abc");
  wire.fin(0, 3);
  wire.fin(1, 0, 4);
  wire.rst(1, 1);
  CHECK(wire.out.heard == Heard{"0:abc", "0:fin", "1:fin", "1:reset"});
}

TEST_CASE("a RST beside where the stream is ends it unless it goes on") {
  for (const uint32_t offset : {2u, 40u, 1'000'000u}) {
    for (const bool goes_on : {true, false}) {
      INFO(offset << goes_on);
      Wire wire;
      wire.syn();
      wire.send(0, 0, "abc");
      wire.rst(0, offset);
      if (goes_on) {
        wire.send(0, 3, "def");
        wire.send(1, 0, "x", 6);
      } else {
        wire.send(1, 0, "x", 3);  // was on its way
      }
      wire.stream.finish({}, wire.out);
      CHECK(wire.out.heard == (goes_on ? Heard{"0:abc", "0:def", "1:x"} : Heard{"0:abc", "1:x", "0:reset"}));
    }
  }
}

TEST_CASE("a RST behind what was acknowledged ends nothing") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abc");
  wire.send(1, 0, "x", 3);
  wire.rst(0, 2);
  wire.stream.finish({}, wire.out);
  CHECK(wire.out.heard == Heard{"0:abc", "1:x"});
}

TEST_CASE("a RST of a stream that nothing was seen of yet may be stray, one that answers a SYN is not") {
  Wire wire;
  wire.rst(0, 500);
  wire.send(0, 500, "abc", 300);
  wire.send(1, 300, "x", 503);
  wire.send(0, 503, "def", 301);
  wire.stream.finish({}, wire.out);
  CHECK(wire.out.heard == Heard{"0:abc", "1:x", "0:def"});

  Wire refused;
  link::Packet p;
  p.tcp.syn = true;
  p.tcp.sequence = refused.isn[0];
  refused.push(0, p);
  p.tcp.syn = false;
  p.tcp.rst = p.tcp.ack = true;
  p.tcp.sequence = 0;
  p.tcp.acknowledgment = refused.isn[0] + 1;
  refused.push(1, p);
  CHECK(refused.out.heard == Heard{"1:reset"});
}

TEST_CASE("a RST far from where the stream is ends nothing") {
  Wire wire;
  wire.syn();
  wire.send(0, 0, "abc");
  wire.rst(0, 1U << 31);
  wire.rst(0, 3 - (1U << 30));
  wire.send(0, 3, "def");
  wire.rst(0, 6);
  CHECK(wire.out.heard == Heard{"0:abc", "0:def", "0:reset"});
}

TEST_CASE("a stream may be met in the middle") {
  Wire wire;
  wire.send(0, 500, "abc", 300);
  wire.send(1, 300, "x", 503);
  CHECK(wire.out.heard == Heard{"0:abc", "1:x"});
  CHECK_FALSE(wire.stream.from_start(0));
}

TEST_CASE("the SYN-ACK shows where a SYN that is not in the capture began") {
  Wire wire;
  link::Packet p;
  p.tcp.syn = p.tcp.ack = true;
  p.tcp.sequence = wire.isn[1];
  p.tcp.acknowledgment = wire.isn[0] + 1;
  wire.push(1, p);
  CHECK(wire.stream.from_start(0));
  CHECK_FALSE(wire.stream.foreign_syn(0, wire.isn[0]));
  CHECK(wire.stream.foreign_syn(0, wire.isn[0] + 1));
}
