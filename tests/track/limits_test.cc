// The bounds of core/track, but for those of the two tables of connections: what is said one below, at
// and above, and that nothing else changes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "track/copy_filter.h"
#include "track/pairing.h"
#include "track/recent.h"
#include "track/setups.h"
#include "wire/writer.h"

using namespace steertag;
using namespace steertag::track;
namespace roce = steertag::rdma::roce;

namespace {

base::Address nth_host(uint32_t number) {
  const uint8_t octets[4] = {10, uint8_t(number >> 16), uint8_t(number >> 8), uint8_t(number)};
  return base::Address::ipv4(octets);
}

struct Flows {
  base::Budget budget;
  PairFinder finder{budget};
  uint64_t order = 0;
  std::vector<uint8_t> zeros;

  std::optional<Match> send(const Half& half, size_t payload = 0) {
    zeros.resize(std::max(zeros.size(), payload));
    roce::Packet packet;
    packet.opcode = roce::Opcode::send_only;
    packet.psn = 1;
    packet.payload = Bytes(zeros).first(payload);
    packet.payload_length = static_cast<uint32_t>(payload);
    ++order;
    return finder.add(half, rdma::Transport::roce2, packet, Stamp{order, 0, 0}, order);
  }
};

const Half kForth{nth_host(1), nth_host(2), 0x11};
const Half kReturn{nth_host(2), nth_host(1), 0x11};

// Packets as they are looked at: of any sender, with any PSN.
struct Looking {
  CopyFilter filter{1'000'000'000};
  int64_t time_ns = 0;
  std::vector<uint8_t> bytes;

  CopyFilter::Seen look(uint32_t from, uint32_t psn, uint64_t flow = 0, uint16_t id = 0, bool nak = false) {
    roce::Bth bth;
    bth.opcode = nak ? roce::Opcode::acknowledge : roce::Opcode::send_only;
    bth.dest_qp = 0x11;
    bth.psn = psn;
    bytes.clear();
    wire::write(bytes, bth);
    bytes.insert(bytes.end(), {0x60, 0, 0, 0, 1, 2, 3, 4});
    link::Packet packet;
    packet.carrier = link::Carrier::roce2;
    packet.source = nak ? nth_host(1) : nth_host(from);
    packet.destination = nak ? nth_host(from) : nth_host(1);
    packet.payload = bytes;
    packet.payload_length = static_cast<uint32_t>(bytes.size());
    packet.flow = flow;
    packet.routed.id = id;
    time_ns += CopyFilter::kTick_ns;
    return filter.look(packet, bth, {.time_ns = time_ns});
  }
};

}  // namespace

TEST_CASE("bounds: hosts between which a cut connection setup passed") {
  CutSetups cut;
  for (uint32_t i = 1; i <= CutSetups::kMaxHosts; ++i) {
    cut.note(nth_host(0), nth_host(i), i);
  }
  cut.note(nth_host(0), nth_host(1), 1);  // known already, and no reason to forget the others
  for (const uint32_t i : {uint32_t{1}, uint32_t{2}, uint32_t{CutSetups::kMaxHosts}}) {
    CHECK(cut.since(nth_host(i), nth_host(0), i));
    CHECK_FALSE(cut.since(nth_host(i), nth_host(0), i + 1));
  }
  // One more, and it may have been any two hosts, as far as their connection was there by then.
  constexpr uint64_t kNow = CutSetups::kMaxHosts + 1;
  cut.note(nth_host(0), nth_host(kNow), kNow);
  CHECK(cut.since(nth_host(1), nth_host(0), kNow));
  CHECK_FALSE(cut.since(nth_host(1), nth_host(0), kNow + 1));
  CHECK(cut.since(nth_host(kNow), nth_host(0), kNow));
  cut.note(nth_host(0), nth_host(2), kNow + 7);
  CHECK(cut.since(nth_host(2), nth_host(0), kNow + 7));
  CHECK_FALSE(cut.since(nth_host(1), nth_host(0), kNow + 7));
}

TEST_CASE_METHOD(Flows, "bounds: packets that one flow keeps until its counterpart is known") {
  send(kReturn);
  for (const size_t count :
       {PairFinder::kMaxPackets - 1, PairFinder::kMaxPackets, PairFinder::kMaxPackets + 1}) {
    for (size_t i = 0; i < count; ++i) {
      CHECK_FALSE(send(kForth));
    }
    CHECK(finder.forget(kForth).size() == std::min(count, PairFinder::kMaxPackets));
  }
  for (size_t i = 0; i < PairFinder::kMaxPackets + 1; ++i) {
    send(kForth);
  }
  const std::vector<Match> left = finder.finish();
  REQUIRE(left.size() == 2);
  CHECK(left[0].dropped[0] == 0);
  CHECK(left[1].dropped[0] == 1);  // and that is said
}

TEST_CASE_METHOD(Flows, "bounds: bytes that one flow keeps until its counterpart is known") {
  constexpr size_t kEach = PairFinder::kMaxBytes / 16;
  send(kReturn);
  for (size_t i = 1; i < 16; ++i) {
    send(kForth, kEach);
  }
  send(kForth, kEach - 1);
  SECTION("below, another packet finds room") {
    send(kForth, 1);
    CHECK(finder.forget(kForth).size() == 17);
  }
  SECTION("at the bound, the oldest gives way to the next") {
    send(kForth, 1);
    send(kForth, 1);
    CHECK(finder.forget(kForth).size() == 17);
    CHECK(finder.kept() < PairFinder::kMaxBytes);
  }
}

TEST_CASE_METHOD(Flows, "bounds: flows between two hosts that wait for their counterpart") {
  const auto flow = [](size_t qpn) { return Half{nth_host(1), nth_host(2), static_cast<uint32_t>(qpn)}; };
  for (size_t i = 0; i < PairFinder::kMaxOfHosts; ++i) {
    send(flow(i));
  }
  send(flow(0));  // so that another one is the idlest
  CHECK(finder.knows(flow(1)));
  const Half elsewhere{nth_host(1), nth_host(3), 7};
  send(elsewhere);
  CHECK(finder.knows(flow(1)));
  send(flow(PairFinder::kMaxOfHosts));
  CHECK_FALSE(finder.knows(flow(1)));
  CHECK(finder.knows(flow(0)));
  CHECK(finder.knows(flow(2)));
  CHECK(finder.knows(elsewhere));
  CHECK(finder.finish().size() == PairFinder::kMaxOfHosts + 1);
}

TEST_CASE_METHOD(Flows, "bounds: flows that wait for their counterpart") {
  const auto flow = [](size_t number) {
    return Half{nth_host(static_cast<uint32_t>(number)), nth_host(0xFFFFFF), 0x11};
  };
  for (size_t i = 0; i < PairFinder::kMaxFlows; ++i) {
    send(flow(i));
  }
  send(flow(0));
  CHECK(finder.knows(flow(1)));
  const size_t charged = budget.held();
  send(flow(PairFinder::kMaxFlows));
  CHECK_FALSE(finder.knows(flow(1)));
  CHECK(finder.knows(flow(0)));
  CHECK(finder.knows(flow(PairFinder::kMaxFlows)));
  CHECK(budget.held() < charged + 1024);
}

TEST_CASE_METHOD(Flows, "bounds: bytes that all flows together keep") {
  constexpr size_t kEach = PairFinder::kMaxBytes - 1;
  const size_t most = PairFinder::kMaxTogether / (kEach + sizeof(Waiting));  // flows of one packet
  const auto flow = [](size_t number) {
    return Half{nth_host(1), nth_host(static_cast<uint32_t>(2 + number)), 0x11};
  };
  const auto back = [&](size_t number) { return Half{flow(number).destination, nth_host(1), 0x11}; };
  for (size_t i = 0; i < most; ++i) {
    CHECK_FALSE(send(flow(i), kEach));
  }
  const size_t room = PairFinder::kMaxTogether - finder.kept();
  REQUIRE(room > sizeof(Waiting));
  CHECK_FALSE(send(flow(most), room - sizeof(Waiting)));
  CHECK(finder.kept() == PairFinder::kMaxTogether);
  SECTION("a flow alone goes its own way") {
    const std::optional<Match> match = send(flow(most + 1), 1);
    REQUIRE(match);
    CHECK(match->from_a == flow(most + 1));
    CHECK(match->dropped[0] == 0);
    CHECK(finder.knows(flow(0)));
  }
  SECTION("otherwise the idlest is dropped") {
    CHECK_FALSE(send(back(most)));
    CHECK_FALSE(finder.knows(flow(0)));
    CHECK(finder.knows(flow(1)));
    CHECK(finder.kept() <= PairFinder::kMaxTogether);
  }
}

TEST_CASE("bounds: flows whose connection is found without a search") {
  Recent<uint64_t> recent;
  constexpr uint64_t kMany = 64 * Recent<uint64_t>::kFlows;
  for (uint64_t flow = 1; flow <= kMany; ++flow) {
    recent.keep(flow, 3, flow);
  }
  size_t known = 0;
  for (uint64_t flow = 1; flow <= kMany; ++flow) {
    const uint64_t* const found = recent.find(flow, 3);
    known += found != nullptr ? 1 : 0;
    CHECK((found == nullptr || *found == flow));
  }
  CHECK(known == Recent<uint64_t>::kFlows);
}

TEST_CASE("bounds: packets among which copies are sought") {
  constexpr uint32_t kPackets = 4 * CopyFilter::kSets;
  for (const uint32_t count : {kPackets - 1, kPackets, kPackets + 1}) {
    auto looking = std::make_unique<Looking>();
    size_t copies = 0;
    for (uint32_t psn = 0; psn < count; ++psn) {
      copies += looking->look(2, psn).copy ? 1 : 0;
    }
    CHECK(copies == 0);
    CHECK(looking->look(2, 0).copy == (count <= kPackets));
    CHECK(looking->look(2, count - 1).copy);
  }
}

TEST_CASE("bounds: error messages that distinguish what was sent again") {
  for (const size_t others :
       {CopyFilter::kComplaints - 2, CopyFilter::kComplaints - 1, CopyFilter::kComplaints}) {
    Looking looking;
    CHECK_FALSE(looking.look(2, 5).copy);
    looking.look(2, 5, 0, 0, true);
    for (size_t i = 0; i < others; ++i) {
      looking.look(static_cast<uint32_t>(3 + i), 5, 0, 0, true);
    }
    // Forgotten, what was asked for and sent again counts as a copy.
    CHECK(looking.look(2, 5).copy == (others >= CopyFilter::kComplaints));
  }
}

TEST_CASE("bounds: senders that give their packets numbers") {
  constexpr uint32_t kMany = 8 * CopyFilter::kSenders;
  auto looking = std::make_unique<Looking>();
  const auto numbered = [&](uint32_t sender) {
    for (uint16_t i = 0; i < 6; ++i) {
      looking->look(sender, i, 0, static_cast<uint16_t>(i + 1));
    }
    looking->look(sender, 4, 0, 0, true);
    return looking->look(sender, 5, 0, 6).copy;  // behind what is asked for, but with the number that it had
  };
  uint32_t at_once = 0;
  for (uint32_t sender = 2; sender < 2 + kMany; ++sender) {
    at_once += numbered(sender) ? 1 : 0;
  }
  CHECK(at_once > kMany * 9 / 10);  // but where the one that complains has its place
  size_t known = 0;
  for (uint32_t sender = 1 + kMany; sender >= 2; --sender) {  // the latest first
    looking->look(sender, 4, 0, 9, true);
    known += looking->look(sender, 5, 0, 6).copy ? 1 : 0;
  }
  CHECK(known <= CopyFilter::kSenders);
  CHECK(known > CopyFilter::kSenders / 4);
}

TEST_CASE("bounds: flows whose hashes are kept") {
  for (const uint32_t flows : {CopyFilter::kFlows - 1, CopyFilter::kFlows, CopyFilter::kFlows + 1}) {
    Looking with, without;
    for (int round = 0; round < 3; ++round) {
      for (uint32_t i = 0; i < flows; ++i) {
        const bool again = round == 2;
        const uint32_t psn = again ? 1 : static_cast<uint32_t>(round);
        const CopyFilter::Seen seen = with.look(2 + i, psn, 1 + i);
        CHECK(seen.copy == again);
        CHECK(seen.copy == without.look(2 + i, psn).copy);
      }
    }
  }
}
