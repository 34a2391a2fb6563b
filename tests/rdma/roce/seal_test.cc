// Seals, the Copies that live by them, and Suspects: changes and damage are seen, none is made up.
#include "rdma/roce/seal.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "link/decoder.h"
#include "link/frames.h"
#include "rdma/roce/copies.h"
#include "rdma/roce/icrc.h"
#include "rdma/roce/packet.h"
#include "rdma/roce/parts.h"
#include "rdma/roce/responses.h"
#include "rdma/roce/suspects.h"

using namespace steertag;
using link::test::operator+;
using rdma::roce::Copies;
using rdma::roce::Seal;
using rdma::roce::Suspects;
using rdma::roce::verified_seal;

namespace {

using Bits = link::test::Octets;

constexpr size_t kTrailer = 4;  // the ICRC

// A captured SEND Only: bytes from the IP header on, and what they decode to.
struct Captured {
  Bits bytes;
  bool v6 = false;
  link::Decoder decoder;
  link::Packet packet;
  rdma::roce::Packet transport;

  size_t bth() const { return v6 ? 48 : 28; }
  void fill_in() {
    bytes.resize(bytes.size() - kTrailer);
    REQUIRE(rdma::roce::append_icrc(link::Carrier::roce2, bytes, 0, bth()));
  }
  void decode(size_t captured = SIZE_MAX) {
    auto whole = link::test::frame(bytes, 101);
    whole.bytes = slice(whole.bytes, 0, captured);
    packet = decoder.decode(whole);
    REQUIRE(packet.carrier == link::Carrier::roce2);
    REQUIRE(rdma::roce::decode(packet.payload, packet.payload_length, transport));
    transport.captured = &packet;
  }
};

std::unique_ptr<Captured> captured(size_t payload = 21, bool v6 = false, uint32_t psn = 7) {
  auto made = std::make_unique<Captured>();
  rdma::roce::Packet packet;
  const Bits bytes = link::test::counting(payload);
  packet.payload = bytes;
  packet.psn = psn;
  packet.pad = rdma::roce::pad_for(payload);
  Bits transport;
  encode(packet, transport);
  const Bits with_room = transport + Bits(kTrailer, 0);
  made->v6 = v6;
  made->bytes = v6 ? link::test::ipv6(17, link::test::udp(with_room))
                   : link::test::ipv4(17, link::test::udp(with_room));
  made->fill_in();
  made->decode();
  return made;
}

// The same, with one byte (from the IP header on) changed by its sender.
std::unique_ptr<Captured> changed(size_t at, size_t payload = 21, bool v6 = false) {
  auto made = captured(payload, v6);
  made->bytes[at] ^= 0x81;
  made->fill_in();
  made->decode();
  return made;
}

// The same, with one byte of the payload damaged on the way.
std::unique_ptr<Captured> damaged(uint32_t psn, size_t payload = 21) {
  auto made = captured(payload, false, psn);
  made->bytes[45] ^= 1;
  made->decode();
  return made;
}

}  // namespace

TEST_CASE("a seal outlives what may be another in a retransmission") {
  const bool v6 = GENERATE(false, true);
  const size_t payload = GENERATE(0, 21, 1000);
  const auto first = captured(payload, v6);
  const size_t bth = first->bth();
  std::vector<size_t> free = {bth - 8, bth - 7, bth + 2, bth + 3, bth + 8};  // UDP source port, P_Key, AckReq
  if (!v6) {
    free.insert(free.end(), {4, 5, 8});  // identification, TTL
  }
  for (const size_t at : free) {
    const auto again = changed(at, payload, v6);
    CAPTURE(at);
    CHECK(again->bytes != first->bytes);
    CHECK(Seal::of(again->packet)->same_as(*Seal::of(first->packet)));
  }
}

TEST_CASE("a seal distinguishes any byte of the payload, and the length") {
  const auto first = captured();
  for (size_t at = first->bth() + 12; at < first->bytes.size() - kTrailer - 3; ++at) {
    CHECK_FALSE(Seal::of(changed(at)->packet)->same_as(*Seal::of(first->packet)));
  }
  CHECK_FALSE(Seal::of(captured(25)->packet)->same_as(*Seal::of(first->packet)));
}

TEST_CASE("not every packet has a seal") {
  auto packet = captured();
  SECTION("cut by the snaplen") {
    packet->decode(packet->bytes.size() - 1);
  }
  SECTION("a pad that is not zero") {
    packet->bytes[packet->bytes.size() - kTrailer - 1] = 1;
    packet->fill_in();
    packet->decode();
  }
  SECTION("another carrier") {
    packet->packet.carrier = link::Carrier::roce1;
  }
  CHECK_FALSE(Seal::of(packet->packet));
}

TEST_CASE("only a right ICRC is a verified seal") {
  const auto packet = captured();
  CHECK(verified_seal(packet->packet));
  packet->bytes.back() ^= 1;
  packet->decode();
  CHECK(Seal::of(packet->packet));
  CHECK_FALSE(verified_seal(packet->packet));
}

TEST_CASE("packets that are sent again are compared by their seals") {
  Copies copies;
  const auto first = captured();
  copies.add(first->transport, {.number = 1}, 0);
  SECTION("as they were") {
    CHECK_FALSE(copies.compare(captured()->transport, {.number = 2}));
    CHECK_FALSE(copies.compare(changed(5)->transport, {.number = 2}));
  }
  SECTION("with another payload") {
    const auto found = copies.compare(changed(50)->transport, {.number = 2});
    REQUIRE(found);
    CHECK(found->first.sealed);
    CHECK(found->first.at.number == 1);
    CHECK(found->second.at.number == 2);
    CHECK(found->first.hash() != found->second.hash());
  }
  SECTION("damaged on the way, or cut: no change is made up") {
    const auto again = captured();
    again->bytes[50] ^= 1;
    again->decode();
    CHECK_FALSE(copies.compare(again->transport, {.number = 2}));
    const auto trailer = captured();
    trailer->bytes.back() ^= 1;
    trailer->decode();
    CHECK_FALSE(copies.compare(trailer->transport, {.number = 2}));
    const auto cut = changed(50);
    cut->decode(cut->bytes.size() - 8);
    CHECK_FALSE(copies.compare(cut->transport, {.number = 2}));
  }
}

TEST_CASE("ICRCs that are not filled in stand for nothing") {
  Copies copies;
  const auto unfilled = [](uint8_t value, size_t change) {
    auto packet = change != 0 ? changed(change) : captured();
    packet->bytes.back() = value;
    packet->decode();
    return packet;
  };
  copies.add(unfilled(1, 0)->transport, {.number = 1}, 0);
  CHECK_FALSE(copies.compare(unfilled(2, 0)->transport, {.number = 2}));
  const auto found = copies.compare(unfilled(1, 50)->transport, {.number = 2});
  REQUIRE(found);
  CHECK_FALSE(found->first.sealed);
}

TEST_CASE("one tap's ICRCs prove nothing of another's") {
  Copies copies;
  copies.add(captured(21, false, 7)->transport, {.number = 1, .tap = 0}, 0);
  const auto unfilled = captured(21, false, 8);
  unfilled->bytes.back() ^= 1;
  unfilled->decode();
  copies.add(unfilled->transport, {.number = 2, .tap = 1}, 0);
  CHECK_FALSE(copies.compare(captured(21, false, 8)->transport, {.number = 3, .tap = 0}));
}

TEST_CASE("copies are found among many, and name their operation") {
  Copies copies;
  const auto add = [&](rdma::roce::Opcode opcode, uint32_t psn) {
    rdma::roce::Packet packet;
    packet.opcode = opcode;
    packet.psn = psn & rdma::roce::kPsnMask;
    copies.add(packet, {.number = psn}, 0x800000);
  };
  for (uint32_t i = 0xFFFF00; i < 0x1000100; i += 4) {  // across the wrap
    add(rdma::roce::Opcode::write_first, i);
    add(rdma::roce::Opcode::write_middle, i + 1);
    add(rdma::roce::Opcode::write_last, i + 2);
    add(rdma::roce::Opcode::send_only, i + 3);
  }
  const auto write = copies.operation(0x1000000 & rdma::roce::kPsnMask);
  REQUIRE(write);
  CHECK(write->first.number == 0x1000000);
  CHECK(write->last.number == 0x1000002);
  const auto send = copies.operation(0xFFFFFF);
  REQUIRE(send);
  CHECK(send->first.number == 0xFFFFFF);
  CHECK(send->last.number == 0xFFFFFF);
  CHECK_FALSE(copies.operation(0x400000));
  copies.clear();
  CHECK_FALSE(copies.operation(0xFFFFFF));
}

TEST_CASE("a packet that is sent again is wrong only where all its copies are") {
  Suspects suspects;
  CHECK_FALSE(suspects.was_sent_again(8));
  suspects.sent_again(damaged(8)->transport, {.number = 2});
  CHECK(suspects.was_sent_again(8));
  CHECK_FALSE(suspects.wrong_again(7));
  const auto wrong = suspects.wrong_again(8);
  REQUIRE(wrong);
  CHECK(wrong->at.number == 2);
  CHECK(wrong->computed != wrong->carried);
  SECTION("a right copy speaks for it") {
    suspects.sent_again(captured(21, false, 8)->transport, {.number = 3});
    CHECK_FALSE(suspects.wrong_again(8));
  }
  SECTION("another wrong one does not") {
    suspects.sent_again(damaged(8)->transport, {.number = 3});
    CHECK(suspects.wrong_again(8)->at.number == 2);
  }
  SECTION("nor one that was cut") {
    const auto cut = damaged(8);
    cut->decode(cut->bytes.size() - 1);
    suspects.sent_again(cut->transport, {.number = 3});
    CHECK_FALSE(suspects.wrong_again(8));
  }
  SECTION("another packet takes its place") {
    suspects.sent_again(damaged(9)->transport, {.number = 3});
    CHECK_FALSE(suspects.wrong_again(8));
    CHECK(suspects.wrong_again(9));
  }
  SECTION("forgotten") {
    suspects.clear();
    CHECK_FALSE(suspects.wrong_again(8));
  }
}

TEST_CASE("of packets that may be refused at once, the oldest open one whose ICRC is wrong is known") {
  Suspects suspects;
  constexpr uint32_t open = 7;  // the oldest PSN without an acknowledgment
  suspects.sent(captured(21, false, 7)->transport, {.number = 1}, open);
  suspects.sent(damaged(8)->transport, {.number = 2}, open);
  suspects.sent(damaged(9)->transport, {.number = 3}, open);
  CHECK_FALSE(suspects.wrong_at({.number = 1}));
  CHECK(suspects.wrong_at({.number = 2}));
  CHECK_FALSE(suspects.wrong_at({.number = 3}));
  SECTION("once it is acknowledged, another takes its place") {
    suspects.sent(damaged(9)->transport, {.number = 3}, 9);
    CHECK_FALSE(suspects.wrong_at({.number = 2}));
    CHECK(suspects.wrong_at({.number = 3}));
  }
  SECTION("forgotten") {
    suspects.clear();
    CHECK_FALSE(suspects.wrong_at({.number = 2}));
  }
}

TEST_CASE("a packet may be refused at once where it names memory") {
  rdma::roce::Packet packet;
  CHECK_FALSE(Suspects::names_memory(packet));
  packet.ieth = rdma::roce::Ieth{5};
  CHECK(Suspects::names_memory(packet));
}

TEST_CASE("an ICRC of zero is not a wrong one") {
  Suspects suspects;
  const auto zero = captured(21, false, 8);
  std::fill(zero->bytes.end() - kTrailer, zero->bytes.end(), uint8_t{0});
  zero->decode();
  suspects.sent_again(zero->transport, {.number = 2});
  CHECK_FALSE(suspects.wrong_again(8));
}

TEST_CASE("damage is found once, and only behind a right ICRC") {
  rdma::roce::test::Sender sender;
  rdma::roce::OrderWatch watch{sender.heard, rdma::Side::b};
  rdma::roce::Responses responses{sender.outlet, watch, sender.requests, sender.reads, rdma::Side::b};
  const auto send = [&](const Captured& packet) {
    sender.requests.on_packet(packet.transport, sender.now());
  };
  SECTION("of what is never accepted") {
    send(*captured(21, false, 7));
    sender.requests.confirm(7, sender.now());
    send(*damaged(8));
    send(*damaged(8));
    responses.finish();
    REQUIRE(sender.heard.only(rdma::Anomaly::Kind::icrc));
    CHECK(sender.heard.anomalies[0].at.number == 4);
    CHECK(sender.heard.anomalies[0].awaited);
  }
  SECTION("not of what is accepted after all") {
    send(*captured(21, false, 7));
    send(*damaged(8));
    sender.requests.confirm(8, sender.now());
    responses.finish();
    CHECK(sender.heard.anomalies.empty());
  }
  SECTION("of what is refused") {
    send(*captured(21, false, 7));
    sender.requests.confirm(7, sender.now());
    send(*damaged(8));
    send(*damaged(8));
    constexpr uint8_t kRemoteAccess = 0x62;
    responses.on_packet(rdma::roce::test::answer(8, kRemoteAccess), sender.now());
    responses.on_packet(rdma::roce::test::answer(8, kRemoteAccess), sender.now());
    REQUIRE(sender.heard.faults.size() == 2);
    CHECK(sender.heard.faults[1].wrong_crc);
    responses.finish();
    CHECK(sender.heard.only(rdma::Anomaly::Kind::icrc));
  }
  SECTION("not where none was right before") {
    send(*damaged(7));
    send(*captured(21, false, 8));
    responses.on_packet(rdma::roce::test::answer(7, 0x62), sender.now());
    CHECK_FALSE(sender.heard.faults.at(0).wrong_crc);
    responses.finish();
    CHECK(sender.heard.anomalies.empty());
  }
}
