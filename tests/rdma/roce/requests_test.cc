// Requests by themselves: what is accepted, what waits, what is given up. And what waits: WaitingRoom, Early.
#include "rdma/roce/requests.h"

#include <catch2/catch.hpp>

#include "rdma/roce/early.h"
#include "rdma/roce/parts.h"

using namespace steertag;
using namespace steertag::rdma;
using namespace steertag::rdma::roce::test;
using roce::Opcode;

TEST_CASE_METHOD(Sender, "the first request is where a sequence begins, unless the setup says so") {
  SECTION("it does") {
    requests.expect(0x1000009);
    CHECK(sequence().expected == 9);
    send(10);
    CHECK(heard.take().empty());
  }
  SECTION("it does not") {
    send(10);
    CHECK(sequence().expected == 11);
    CHECK(heard.take() == "S4");
  }
}

TEST_CASE_METHOD(Sender, "all that was sent is acknowledged: reported once") {
  send(10);
  send(11);
  requests.confirm(10, now());
  CHECK(heard.take() == "S4 S4");
  requests.confirm(11, now());
  CHECK(heard.take() == "acked");
  requests.confirm(11, now());
  CHECK(heard.take().empty());
  CHECK(sequence().confirmed == 12);
}

TEST_CASE_METHOD(Sender, "what is acknowledged ahead of what was seen makes the sequence doubtful") {
  send(10);
  requests.confirm(12, now());
  CHECK_FALSE(requests.whole());
  send(11);
  CHECK_FALSE(requests.whole());
  send(12);
  CHECK(requests.whole());
}

TEST_CASE_METHOD(Sender, "what waits is taken in the order of PSNs, whatever order it came in") {
  send(0xFFFFF8, 1);
  for (uint32_t i = 8; i > 1; --i) {
    send(0xFFFFF8 + i, i);
  }
  CHECK(heard.take() == "S1");
  CHECK_FALSE(requests.whole());
  send(0xFFFFF9, 1);
  CHECK(heard.take() == "S1 S2 S3 S4 S5 S6 S7 S8");
  CHECK(requests.whole());
}

TEST_CASE_METHOD(Sender, "a hole that is given up is reported once, and its late packets are taken") {
  send(10);
  requests.give_up(13, now(), Stamp{.number = 77});
  requests.give_up(15, now(), Stamp{.number = 78});
  CHECK(heard.take() == "S4 gap");
  CHECK(outlet.lost == 4);
  send(11, 9);
  CHECK(heard.take() == "S9");
  CHECK(sequence().expected == 15);
  REQUIRE(heard.only(Anomaly::Kind::missing));
  CHECK(heard.anomalies[0].expected == 12);
  CHECK(heard.anomalies[0].related->number == 78);
  send(11, 9);
  CHECK(heard.take() == "repeat");
}

TEST_CASE_METHOD(Sender, "a packet that comes late ends where its PSN says") {
  send(10);
  requests.give_up(13, now(), std::nullopt);
  send(13);
  send(11);
  REQUIRE(heard.ops.size() == 3);
  const uint64_t first = heard.ops[0].end_position;
  CHECK(heard.ops[1].end_position == first + 3);
  CHECK(heard.ops[2].end_position == first + 1);
}

TEST_CASE_METHOD(Sender, "a packet that comes late changes nothing of what is acknowledged ahead of it") {
  send(10);
  requests.give_up(12, now(), std::nullopt);
  send(12);
  requests.confirm(14, now());
  CHECK(heard.take() == "S4 gap S4");
  send(11);
  CHECK(heard.take() == "S4");
  CHECK_FALSE(requests.whole());
  send(15);  // 13 and 14 were received, and are missing
  CHECK(heard.take() == "gap S4");
}

TEST_CASE_METHOD(Sender, "a packet that comes late comes in the middle of nothing") {
  send(10);
  requests.give_up(12, now(), std::nullopt);
  requests.on_packet(packet_of(Opcode::send_first, 12, 256), now());
  send(11);
  requests.on_packet(packet_of(Opcode::send_last, 13, 9), now());
  CHECK(heard.take() == "S4 gap S256 S4 S9");
}

TEST_CASE_METHOD(Sender, "a packet that comes late does not show what comes behind the rest of its hole") {
  send(10);
  requests.give_up(13, now(), std::nullopt);
  send(11);
  requests.on_packet(packet_of(Opcode::send_middle, 13, 256), now());  // its First is missing, not left out
  CHECK(heard.only(Anomaly::Kind::missing));
}

TEST_CASE_METHOD(Sender, "what lies before the start that the CM said is of an earlier connection") {
  requests.expect(100);
  send(100);
  send(97);
  CHECK(heard.take() == "S4");
}

TEST_CASE_METHOD(Sender, "far ahead or far behind, the QP was set up again") {
  send(0x100);
  SECTION("ahead") {
    requests.give_up(0x700000, now(), std::nullopt);
    CHECK(heard.take() == "S4 gap");
    CHECK(sequence().expected == 0x700000);
  }
  SECTION("behind, and a run of them") {
    for (uint32_t i = 0; i < roce::Retransmissions::kStartedOverRun; ++i) {
      CHECK(sequence().expected == 0x101);
      send(0xA00000 + i);
    }
    CHECK(sequence().expected == 0xA00000 + roce::Retransmissions::kStartedOverRun);
  }
  CHECK(outlet.lost == 0);
  CHECK_FALSE(requests.whole());
}

TEST_CASE_METHOD(Sender, "a Read takes as many PSNs as it has Responses, once the path MTU is known") {
  requests.on_packet(read_of(10, 4096), now());
  CHECK(sequence().unsized_read == 4096u);
  SECTION("from its first Response") {
    outlet.path_mtu.learn(packet_of(Opcode::read_response_first, 10, 1024));
    requests.confirm(10, now());
    CHECK(sequence().expected == 14);
  }
  SECTION("from the next request") {
    send(12);
    CHECK(outlet.path_mtu.bytes() == 2048);
    CHECK(sequence().expected == 13);
  }
  CHECK(requests.whole());
}

TEST_CASE_METHOD(Sender, "after the DREQ what is not acknowledged waits to the end") {
  send(10);
  outlet.closed = Stamp{.number = frame};
  send(11, 5);
  send(12, 6);
  requests.confirm(11, now());
  CHECK(heard.take() == "S4 S5");
  requests.finish(now());
  CHECK(heard.take() == "S6");
  CHECK(heard.ops.back().unreceived);
  REQUIRE(heard.only(Anomaly::Kind::unreceived));
  CHECK(heard.anomalies[0].count == 1);
}

TEST_CASE_METHOD(Sender, "a packet that still waits is compared with its copy") {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4};
  const std::vector<uint8_t> others = {1, 2, 3, 5};
  roce::Packet packet = packet_of(Opcode::send_only, 12, 4);
  send(10);
  packet.payload = bytes;
  requests.on_packet(packet, now());
  requests.on_packet(packet, now());
  CHECK(heard.anomalies.empty());
  packet.payload = others;
  requests.on_packet(packet, now());
  CHECK(heard.only(Anomaly::Kind::changed_retransmission));
}

TEST_CASE_METHOD(Sender, "a QP that was set up again may send other bytes with the PSNs of before") {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4};
  const std::vector<uint8_t> others = {1, 2, 3, 5};
  roce::Packet packet = packet_of(Opcode::send_only, 0x100, 4);
  packet.payload = bytes;
  requests.on_packet(packet, now());
  requests.give_up(0x300100, now(), std::nullopt);  // farther ahead than anything that is missing
  send(0x300100);
  packet.payload = others;
  requests.on_packet(packet, now());
  CHECK(heard.take() == "S4 gap S4 repeat");
  CHECK(heard.anomalies.empty());
}

TEST_CASE("the waiting room keeps order and counts what it holds") {
  roce::Shelf shelf;
  roce::WaitingRoom room(shelf);
  const std::vector<uint8_t> bytes(1000);
  for (uint32_t i = 0; i < 100; ++i) {
    roce::Packet packet = packet_of(Opcode::send_only, 0xFFFFF0 + i * 37 % 100);
    packet.payload = bytes;
    room.add(packet, {.number = i});
  }
  CHECK(room.size() == 100);
  CHECK(shelf.bytes() >= 100 * bytes.size());
  CHECK(room.find(0x10)->packet.psn == 0x10);
  CHECK(room.find(0x10)->packet.payload.size() == bytes.size());
  CHECK(room.find(0x100) == nullptr);
  CHECK(room.full_with(roce::WaitingRoom::kMaxBytes - 99 * bytes.size()));
  CHECK_FALSE(room.full_with(1000));
  for (uint32_t i = 0; i < 50; ++i) {
    CHECK(room.front().packet.psn == ((0xFFFFF0 + i) & roce::kPsnMask));
    shelf.put_back(room.pop());
  }
  room.clear();
  CHECK(room.empty());
  CHECK(shelf.bytes() <= roce::Shelf::kMaxSpare * (sizeof(roce::Held) + bytes.size()));
}

TEST_CASE_METHOD(Sender, "an acknowledgment waits for its request, and what follows waits with it") {
  roce::Early early(outlet.shelf, requests);
  send(10);
  CHECK(early.on_packet(answer(10), {.number = 1}) == roce::Early::Passage::goes_on);
  CHECK(early.on_packet(answer(11), {.number = 2}) == roce::Early::Passage::waits);
  CHECK(early.on_packet(packet_of(Opcode::send_only, 500), {.number = 3}) == roce::Early::Passage::waits);
  CHECK(early.next({.time_ns = 1}) == nullptr);
  SECTION("until it was seen") {
    send(11);
    CHECK(early.next({.time_ns = 1})->at.number == 2);
    CHECK(early.next({.time_ns = 1})->at.number == 3);
    CHECK(early.empty());
    CHECK(outlet.lost == 0);
  }
  SECTION("until it has waited for too long") {
    CHECK(early.next({.time_ns = roce::Early::kPatienceNs})->at.number == 2);
    CHECK(heard.take() == "S4 gap");
    CHECK(outlet.lost == 1);
  }
}

TEST_CASE_METHOD(Sender, "a NAK waits for what stands before its PSN, not for that itself") {
  roce::Early early(outlet.shelf, requests);
  send(10);
  CHECK(early.on_packet(answer(11, 0x60), {}) == roce::Early::Passage::goes_on);
  CHECK(early.on_packet(answer(12, 0x60), {}) == roce::Early::Passage::waits);
}
