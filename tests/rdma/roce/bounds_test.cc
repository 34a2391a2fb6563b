// The bounds of one direction of a RoCE connection: what is said one below, at and above, and that
// nothing else changes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rdma/roce/copies.h"
#include "rdma/roce/early.h"
#include "rdma/roce/first_copies.h"
#include "rdma/roce/parts.h"
#include "rdma/roce/reads.h"

using namespace steertag;
using namespace steertag::rdma;
using namespace steertag::rdma::roce::test;
using roce::Opcode;

namespace {

struct Bounded : Sender {
  std::vector<uint8_t> zeros;

  void send(uint32_t psn, size_t payload = 0) {
    zeros.resize(std::max(zeros.size(), payload));
    roce::Packet packet = packet_of(Opcode::send_only, psn, 4);
    packet.payload = Bytes(zeros).first(payload);
    requests.on_packet(packet, now());
  }
  size_t accepted() const { return heard.ops.size(); }
  bool gap() const { return heard.said.find("gap") != std::string::npos; }
};

}  // namespace

TEST_CASE_METHOD(Bounded, "bounds: packets that wait behind a hole") {
  send(0);
  const auto first = static_cast<uint32_t>(2);
  for (uint32_t i = 0; i < roce::WaitingRoom::kMaxPackets; ++i) {
    send(first + i);
  }
  CHECK(accepted() == 1);
  CHECK_FALSE(gap());
  SECTION("at the bound the hole can still be filled") {
    send(1);
    CHECK(accepted() == 2 + roce::WaitingRoom::kMaxPackets);
    CHECK_FALSE(gap());
    CHECK(outlet.lost == 0);
  }
  SECTION("above, it is given up, and what waited is taken in order") {
    send(first + roce::WaitingRoom::kMaxPackets);
    CHECK(heard.said.find("S4 gap S4") == 0);
    CHECK(accepted() == 2 + roce::WaitingRoom::kMaxPackets);
    CHECK(outlet.lost == 1);
  }
}

TEST_CASE_METHOD(Bounded, "bounds: payload that waits behind a hole") {
  constexpr size_t kEach = 4096;
  send(0);
  uint32_t psn = 2;
  for (size_t bytes = 0; bytes < roce::WaitingRoom::kMaxBytes; bytes += kEach) {
    send(psn++, kEach);
  }
  send(psn++);
  CHECK(accepted() == 1);
  CHECK_FALSE(gap());
  send(psn++, 1);
  CHECK(gap());
  CHECK(accepted() == psn - 1);
  CHECK(outlet.lost == 1);
}

TEST_CASE_METHOD(Bounded, "bounds: holes given up that are remembered") {
  const auto come_late = [&](size_t holes) {
    roce::Loss loss{heard, Side::a, icrcs};
    for (uint32_t i = 0; i < holes; ++i) {
      loss.add(10 * i, 10 * i + 1, now(), std::nullopt);
      loss.followed();
    }
    size_t found = 0;
    for (uint32_t i = 0; i < holes; ++i) {
      found += loss.find(10 * i) == roce::Loss::Place::in_hole ? 1 : 0;
    }
    CHECK(loss.find(10 * static_cast<uint32_t>(holes - 1)) == roce::Loss::Place::in_hole);
    return found;
  };
  CHECK(come_late(roce::Loss::kMaxHoles - 1) == roce::Loss::kMaxHoles - 1);
  CHECK(come_late(roce::Loss::kMaxHoles) == roce::Loss::kMaxHoles);
  CHECK(come_late(roce::Loss::kMaxHoles + 1) == roce::Loss::kMaxHoles);
  // Each of them was reported, remembered or not.
  CHECK(heard.anomalies.size() == 3 * roce::Loss::kMaxHoles);
}

TEST_CASE_METHOD(Bounded, "bounds: how far behind a hole is remembered") {
  const auto remembered = [&](int32_t distance) {
    roce::Loss loss{heard, Side::a, icrcs};
    loss.add(roce::psn_add(0, -1), 0, now(), std::nullopt);  // ends at 0
    loss.followed();
    loss.forget_far_from(roce::psn_add(0, distance));
    return loss.find(roce::psn_add(0, -1)) == roce::Loss::Place::in_hole;
  };
  CHECK(remembered(0));
  CHECK(remembered(-roce::kFarBehind - 1));
  CHECK(remembered(-roce::kFarBehind));
  CHECK_FALSE(remembered(-roce::kFarBehind + 1));
  CHECK_FALSE(remembered(-1));
}

TEST_CASE("bounds: packets whose memory is kept, and of how many bytes") {
  const auto kept = [](size_t packets, size_t bytes) {
    roce::Shelf shelf;
    const std::vector<uint8_t> payload(bytes);
    std::vector<std::unique_ptr<roce::Held>> lent;
    for (size_t i = 0; i < packets; ++i) {
      roce::Packet packet;
      packet.payload = payload;
      lent.push_back(shelf.keep(packet, {}));
    }
    CHECK(shelf.bytes() == packets * (sizeof(roce::Held) + bytes));
    for (auto& held : lent) {
      shelf.put_back(std::move(held));
    }
    CHECK_FALSE(shelf.lends());
    return shelf.bytes() / (sizeof(roce::Held) + bytes);
  };
  using roce::Shelf;
  for (const size_t packets : {Shelf::kMaxSpare - 1, Shelf::kMaxSpare, Shelf::kMaxSpare + 1}) {
    CHECK(kept(packets, 100) == std::min(packets, Shelf::kMaxSpare));
  }
  CHECK(kept(1, Shelf::kMaxSpareBytes - 1) == 1);
  CHECK(kept(1, Shelf::kMaxSpareBytes) == 1);
  CHECK(kept(1, Shelf::kMaxSpareBytes + 1) == 0);
}

TEST_CASE_METHOD(Bounded, "bounds: packets that wait for what they acknowledge") {
  roce::Early early(outlet.shelf, requests);
  send(10);
  CHECK(early.on_packet(answer(11), now()) == roce::Early::Passage::waits);
  for (size_t i = 1; i + 1 < roce::Early::kPatiencePackets; ++i) {
    early.on_packet(packet_of(Opcode::send_only, static_cast<uint32_t>(500 + i)), now());
  }
  CHECK(early.next({}) == nullptr);
  CHECK_FALSE(gap());
  early.on_packet(packet_of(Opcode::send_only, 900), now());
  size_t handed_on = 0;
  for (auto next = early.next({}); next != nullptr; next = early.next({})) {
    ++handed_on;
  }
  CHECK(handed_on == roce::Early::kPatiencePackets);
  CHECK(gap());
  CHECK(outlet.lost == 1);
}

TEST_CASE("bounds: packets that a retransmission is compared with") {
  const std::vector<uint8_t> one(8, 1), other(8, 2);
  const auto packet = [](uint32_t psn, Bytes payload) {
    roce::Packet made = packet_of(Opcode::send_only, psn, 8);
    made.payload = payload;
    return made;
  };
  using roce::Copies;
  for (const size_t count : {Copies::kMaxCopies - 1, Copies::kMaxCopies, Copies::kMaxCopies + 1}) {
    Copies copies;
    for (uint32_t psn = 0; psn < count; ++psn) {
      copies.add(packet(psn, one), {.number = psn}, 0);
    }
    size_t changed = 0;
    for (uint32_t psn = 0; psn < count; ++psn) {
      CHECK_FALSE(copies.compare(packet(psn, one), {}));
      changed += copies.compare(packet(psn, other), {}) ? 1 : 0;
    }
    CHECK(changed == std::min(count, Copies::kMaxCopies));
    CHECK(copies.compare(packet(static_cast<uint32_t>(count - 1), other), {}));
  }
}

TEST_CASE("bounds: RDMA Reads that Responses are tied to") {
  using roce::Reads;
  for (const size_t count : {Reads::kMaxReads - 1, Reads::kMaxReads, Reads::kMaxReads + 1}) {
    Reads reads;
    for (uint32_t i = 0; i < count; ++i) {
      reads.add(i, i, {7, 0, 100}, {});
    }
    CHECK((reads.find(0, 256) != nullptr) == (count <= Reads::kMaxReads));
    for (uint32_t i = count > Reads::kMaxReads ? 1 : 0; i < count; ++i) {
      REQUIRE(reads.find(i, 256) != nullptr);
      CHECK(reads.find(i, 256)->id == i);
    }
  }
}

TEST_CASE("bounds: RDMA Read Responses whose first copy is remembered") {
  using roce::FirstCopies;
  for (const size_t count : {FirstCopies::kMost - 1, FirstCopies::kMost, FirstCopies::kMost + 1}) {
    FirstCopies copies;
    for (uint64_t place = 0; place < count; ++place) {
      copies.add(place, {.number = place + 1}, {});
    }
    CHECK(copies.find(0).has_value() == (count <= FirstCopies::kMost));
    for (uint64_t place = count > FirstCopies::kMost ? 1 : 0; place < count; ++place) {
      REQUIRE(copies.find(place));
      CHECK(copies.find(place)->number == place + 1);
    }
    CHECK_FALSE(copies.find(count));
  }
}
