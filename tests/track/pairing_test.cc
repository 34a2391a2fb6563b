// One-way flows are tied together by evidence, or not at all.
#include "track/pairing.h"

#include <catch2/catch.hpp>

using namespace steertag;
using namespace steertag::track;
namespace roce = steertag::rdma::roce;

namespace {

base::Address host(uint8_t last) {
  const uint8_t octets[4] = {10, 0, 0, last};
  return base::Address::ipv4(octets);
}

struct Fixture {
  base::Budget budget;
  PairFinder finder{budget};
  uint64_t order = 0;
  std::vector<uint8_t> bytes;

  std::optional<Match> feed(const Half& half, roce::Opcode opcode, uint32_t psn, uint32_t xid = 0) {
    roce::Packet p;
    p.opcode = opcode;
    p.psn = psn;
    if (xid != 0) {
      bytes = {uint8_t(xid >> 24), uint8_t(xid >> 16), uint8_t(xid >> 8), uint8_t(xid), 0, 0, 0, 1};
      p.payload = bytes;
      p.payload_length = 8;
    }
    ++order;
    return finder.add(half, rdma::Transport::roce2, p, Stamp{order, 0, 0}, order);
  }
};

const Half kThere{host(1), host(2), 0x11};
const Half kBack{host(2), host(1), 0x11};  // equal QPNs at both ends
const Half kOtherBack{host(2), host(1), 0x12};

}  // namespace

TEST_CASE_METHOD(Fixture, "two ACKs among the requests of one flow make a pair, what waited comes in order") {
  CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 100));
  CHECK_FALSE(feed(kBack, roce::Opcode::acknowledge, 100));
  CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 101));
  const std::optional<Match> match = feed(kBack, roce::Opcode::acknowledge, 101);
  REQUIRE(match);
  CHECK(match->from_a == kThere);
  CHECK(match->from_b == kBack);
  REQUIRE(match->packets.size() == 4);
  CHECK(match->packets[1].first == rdma::Side::b);
  CHECK(match->packets[2].second.packet.psn == 101);
}

TEST_CASE_METHOD(Fixture, "two XIDs sent both ways make a pair, and so do one and an ACK") {
  for (const bool acknowledged : {false, true}) {
    const uint32_t xid = acknowledged ? 0xCD00 : 0xAB00;
    CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 100, xid + 1));
    CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 101, xid + 2));
    CHECK_FALSE(feed(kOtherBack, roce::Opcode::send_only, 7, xid + 3));
    CHECK_FALSE(feed(kBack, roce::Opcode::send_only, 9000, xid + 1));
    const std::optional<Match> match = acknowledged ? feed(kBack, roce::Opcode::acknowledge, 101)
                                                    : feed(kBack, roce::Opcode::send_only, 9001, xid + 2);
    REQUIRE(match);
    CHECK(match->from_b == kBack);
  }
}

TEST_CASE_METHOD(Fixture, "one XID sent both ways may be chance: what follows shows whose it was") {
  const Half other_there{host(1), host(2), 0x21};
  CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 100, 0xAB01));
  CHECK_FALSE(feed(kBack, roce::Opcode::send_only, 9000, 0xAB01));  // its Call was not captured
  CHECK_FALSE(feed(other_there, roce::Opcode::send_only, 500, 0xAB02));
  CHECK_FALSE(feed(kBack, roce::Opcode::acknowledge, 500));
  const std::optional<Match> match = feed(kBack, roce::Opcode::send_only, 9001, 0xAB02);
  REQUIRE(match);
  CHECK(match->from_a == kBack);  // it was seen first
  CHECK(match->from_b == other_there);
}

TEST_CASE_METHOD(Fixture, "evidence that fits two flows is no evidence") {
  const Half other_there{host(1), host(2), 0x21};
  CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 100, 0xAB01));
  CHECK_FALSE(feed(other_there, roce::Opcode::send_only, 100, 0xAB01));
  for (int i = 0; i < 8; ++i) {
    CHECK_FALSE(feed(kBack, roce::Opcode::acknowledge, 100));
  }
  CHECK_FALSE(feed(kBack, roce::Opcode::send_only, 5, 0xAB01));
}

TEST_CASE_METHOD(Fixture, "an ACK outside of what was asked says nothing") {
  CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 100));
  for (uint32_t i = 0; i < 8; ++i) {
    CHECK_FALSE(feed(kBack, roce::Opcode::acknowledge, 5000 + i));
  }
}

TEST_CASE_METHOD(Fixture, "what was asked ends with the last request") {
  CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 100));
  for (int i = 0; i < 8; ++i) {
    CHECK_FALSE(feed(kBack, roce::Opcode::acknowledge, 101));
  }
}

TEST_CASE_METHOD(Fixture, "one ACK for each of two flows makes no pair") {
  const Half other_there{host(1), host(2), 0x21};
  CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 100));
  CHECK_FALSE(feed(other_there, roce::Opcode::send_only, 7000));
  for (int i = 0; i < 4; ++i) {
    CHECK_FALSE(feed(kBack, roce::Opcode::acknowledge, 100));
    CHECK_FALSE(feed(kBack, roce::Opcode::acknowledge, 7000));
  }
  CHECK(feed(kBack, roce::Opcode::acknowledge, 7000));
}

TEST_CASE_METHOD(Fixture, "flows of other hosts are not looked at") {
  CHECK_FALSE(feed(kThere, roce::Opcode::send_only, 100, 0xAB01));
  CHECK_FALSE(feed(Half{host(3), host(1), 0x11}, roce::Opcode::send_only, 100, 0xAB01));
}

TEST_CASE_METHOD(Fixture, "what waits is bounded, and a flow without any counterpart goes its own way") {
  std::optional<Match> match;
  uint32_t sent = 0;
  while (!match) {
    match = feed(kThere, roce::Opcode::send_only, sent++);
    REQUIRE(sent <= PairFinder::kMaxPackets);
  }
  CHECK_FALSE(match->from_b);
  CHECK(match->packets.size() == sent);  // all of it: nothing was dropped
  CHECK(match->dropped[0] == 0);
}

TEST_CASE_METHOD(Fixture, "what a flow had to drop while it waited for evidence is counted") {
  constexpr uint32_t kOver = 10;
  feed(kBack, roce::Opcode::send_only, 900'000);  // something runs the other way, and proves nothing
  for (uint32_t i = 0; i < PairFinder::kMaxPackets + kOver; ++i) {
    CHECK_FALSE(feed(kThere, roce::Opcode::send_only, i));
  }
  const std::vector<Match> matches = finder.finish();
  REQUIRE_FALSE(matches.empty());
  CHECK(matches[0].dropped[0] + matches[0].dropped[1] + (matches.size() > 1 ? matches[1].dropped[0] : 0) ==
        kOver);
}

TEST_CASE_METHOD(Fixture, "what was dropped to make room takes no room") {
  constexpr size_t kSmall = 300;
  feed(kBack, roce::Opcode::send_only, 900'000);
  const std::vector<uint8_t> large(PairFinder::kMaxBytes);
  roce::Packet p;
  p.payload = large;
  ++order;
  CHECK_FALSE(finder.add(kThere, rdma::Transport::roce2, p, Stamp{order, 0, 0}, order));
  for (uint32_t i = 1; i <= kSmall; ++i) {
    CHECK_FALSE(feed(kThere, roce::Opcode::send_only, i));
  }
  CHECK(finder.forget(kThere).size() == PairFinder::kMaxPackets);
}

TEST_CASE_METHOD(Fixture, "the end of the capture hands out what is left") {
  feed(kThere, roce::Opcode::send_only, 100);
  feed(kBack, roce::Opcode::send_only, 5000);
  CHECK(finder.finish().size() == 2);
  CHECK(finder.finish().empty());
}

TEST_CASE_METHOD(Fixture, "at the end, one vote is enough for two flows that are alone with each other") {
  const Half other_there{host(1), host(2), 0x21};
  for (const bool alone : {true, false}) {
    feed(kThere, roce::Opcode::send_only, 100);
    if (!alone) {
      feed(other_there, roce::Opcode::send_only, 7000);
    }
    feed(kBack, roce::Opcode::acknowledge, 100);
    const std::vector<Match> matches = finder.finish();
    REQUIRE(matches.size() == (alone ? 1 : 3));
    CHECK(matches[0].from_a == kThere);
    CHECK(matches[0].from_b == (alone ? std::optional(kBack) : std::nullopt));
  }
}
