#include "rdma/roce/packet.h"

#include <catch2/catch.hpp>
#include <memory>

using namespace steertag;
using namespace steertag::rdma::roce;

namespace {

using Octets = std::vector<uint8_t>;

const Octets kPayload = {1, 2, 3, 4, 5, 6, 7};

// Every named opcode.
std::vector<Opcode> opcodes() {
  std::vector<Opcode> all;
  for (int value = 0; value < 256; ++value) {
    if (const auto op = static_cast<Opcode>(value);
        shape(op).role != Role::unknown || op == Opcode::cnp || op == Opcode::ud_send_only) {
      all.push_back(op);
    }
  }
  return all;
}

// A packet with every field set that its opcode has.
Packet full(Opcode op) {
  Packet packet;
  packet.opcode = op;
  packet.solicited = true;
  packet.p_key = 0x8001;
  packet.becn = true;
  packet.dest_qp = 0x123456;
  packet.ack_request = true;
  packet.psn = 0xFFFFFE;
  const uint8_t has = shape(op).extensions;
  if (has & kDeth)
    packet.deth = Deth{0x80010000, 0, 0x000001};
  if (has & kFeth)
    packet.feth = Feth{0x11};
  if (has & kReth)
    packet.reth = Reth{0x1122334455667788, 0xAABBCCDD, 4096};
  if (has & kAtomicEth)
    packet.atomic = AtomicEth{0x1000, 0xAABBCCDD, 1, 2};
  if (has & kAeth)
    packet.aeth = Aeth{0x1F, 0x000203};
  if (has & kAtomicAckEth)
    packet.atomic_ack = AtomicAckEth{0x0102030405060708};
  if (has & kImmediate)
    packet.immediate = 0xCAFEF00D;
  if (has & kIeth)
    packet.ieth = Ieth{0x01020304};
  if (carries_payload(op)) {
    packet.payload = kPayload;
    packet.pad = pad_for(kPayload.size());
  }
  return packet;
}

Octets encoded(const Packet& packet) {
  Octets out;
  encode(packet, out);
  return out;
}

}  // namespace

TEST_CASE("a payload is padded to a multiple of four") {
  for (size_t length = 0; length < 9; ++length) {
    CHECK(pad_for(length) < 4);
    CHECK((length + pad_for(length)) % 4 == 0);
  }
}

TEST_CASE("an RDMA WRITE Only with RETH, payload and ICRC is taken apart") {
  const Octets bytes = {0x0A, 0x00, 0xFF, 0xFF, 0,    0,    0,    2,    0x80, 0, 0, 5,               // BTH
                        0,    0,    0,    0,    0,    0,    0x12, 0x30, 0,    0, 0, 9, 0, 0, 0, 16,  // RETH
                        1,    2,    3,    4,    0xC1, 0xC2, 0xC3, 0xC4};
  Packet packet;
  REQUIRE(decode(bytes, static_cast<uint32_t>(bytes.size()), packet));
  CHECK(packet.opcode == Opcode::write_only);
  CHECK(packet.dest_qp == 2);
  CHECK(packet.psn == 5);
  CHECK(packet.ack_request);
  CHECK_FALSE(packet.solicited);
  REQUIRE(packet.reth);
  CHECK(*packet.reth == Reth{0x1230, 9, 16});
  CHECK(packet.payload_length == 4);
  CHECK(Octets(packet.payload.begin(), packet.payload.end()) == Octets{1, 2, 3, 4});
  CHECK_FALSE(packet.malformed);
  CHECK_FALSE(packet.headers_cut);
}

TEST_CASE("every opcode survives encode and decode") {
  CHECK(opcodes().size() == 27);
  for (const Opcode op : opcodes()) {
    INFO("opcode " << static_cast<int>(op));
    const Packet sent = full(op);
    Octets bytes = encoded(sent);
    CHECK(bytes.size() == header_size(op) + sent.payload.size() + sent.pad);
    const auto wire_length = static_cast<uint32_t>(bytes.size() + kIcrcSize);
    bytes.resize(wire_length, 0xEE);
    Packet got;
    REQUIRE(decode(bytes, wire_length, got));
    CHECK(got.opcode == op);
    CHECK(got.solicited);
    CHECK(got.becn);
    CHECK_FALSE(got.fecn);
    CHECK(got.p_key == 0x8001);
    CHECK(got.dest_qp == 0x123456);
    CHECK(got.psn == 0xFFFFFE);
    CHECK(got.deth == sent.deth);
    CHECK(got.reth == sent.reth);
    CHECK(got.atomic == sent.atomic);
    CHECK(got.aeth == sent.aeth);
    CHECK(got.immediate == sent.immediate);
    CHECK(got.ieth.has_value() == sent.ieth.has_value());
    CHECK(got.payload_length == sent.payload.size());
    CHECK_FALSE(got.malformed);
    bytes.resize(bytes.size() - kIcrcSize);
    CHECK(encoded(got) == bytes);
  }
}

TEST_CASE("cut at every byte: headers are whole or absent, lengths stay the wire's") {
  for (const Opcode op : opcodes()) {
    Octets bytes = encoded(full(op));
    bytes.resize(bytes.size() + kIcrcSize);
    for (size_t captured = 0; captured < bytes.size(); ++captured) {
      INFO("opcode " << static_cast<int>(op) << " cut at " << captured);
      const auto exact = std::make_unique<uint8_t[]>(captured);
      std::copy_n(bytes.begin(), captured, exact.get());
      Packet packet;
      const bool decoded = decode(Bytes(exact.get(), captured), static_cast<uint32_t>(bytes.size()), packet);
      CHECK(decoded == (captured >= Bth::size));
      if (decoded) {
        CHECK(packet.headers_cut == (captured < header_size(op)));
        CHECK_FALSE(packet.malformed);
        CHECK(packet.payload_length == full(op).payload.size());
        CHECK(packet.payload.size() <= captured);
      }
    }
  }
}

TEST_CASE("lengths that contradict") {
  Packet packet;
  Octets bytes = encoded(full(Opcode::write_only));
  SECTION("no room for the RETH") {
    CHECK(decode(Bytes(bytes).first(20), 20, packet));
    CHECK(packet.malformed);
    CHECK_FALSE(packet.headers_cut);
    CHECK_FALSE(packet.reth);
    CHECK(packet.payload_length == 0);
  }
  SECTION("no room for pad and ICRC") {
    CHECK(
        decode(Bytes(bytes).first(header_size(Opcode::write_only)), header_size(Opcode::write_only), packet));
    CHECK(packet.malformed);
    CHECK(packet.reth);
    CHECK(packet.payload_length == 0);
    CHECK(packet.payload.empty());
  }
  SECTION("bytes behind the packet are not its own") {
    bytes.resize(100, 0xEE);
    CHECK(decode(bytes, 36, packet));
    CHECK(packet.payload.size() == packet.payload_length);
  }
}

TEST_CASE("what is not a transport packet") {
  Octets bytes = encoded(full(Opcode::send_only));
  Packet packet;
  CHECK_FALSE(decode(Bytes(bytes).first(11), 64, packet));
  CHECK_FALSE(decode(bytes, 11, packet));
  bytes[1] |= 1;  // transport version 1
  CHECK_FALSE(decode(bytes, 64, packet));
}

TEST_CASE("an opcode without a name keeps its value and everything behind the BTH") {
  const Octets bytes = {0x3F, 0, 0xFF, 0xFF, 0, 0, 0, 2, 0, 0, 0, 5, 1, 2, 3, 4, 0, 0, 0, 0};
  Packet packet;
  REQUIRE(decode(bytes, 20, packet));
  CHECK(static_cast<int>(packet.opcode) == 0x3F);
  CHECK(packet.payload_length == 4);
  CHECK_FALSE(is_request(packet.opcode));
  CHECK_FALSE(is_response(packet.opcode));
}

TEST_CASE("what opcodes say") {
  CHECK(is_request(Opcode::read_request));
  CHECK(is_response(Opcode::read_response_middle));
  CHECK(is_send(Opcode::send_last_invalidate));
  CHECK(is_write(Opcode::write_middle));
  CHECK(is_first(Opcode::send_first));
  CHECK(is_middle(Opcode::write_middle));
  CHECK(is_last(Opcode::send_last_invalidate));
  CHECK(is_only(Opcode::send_only_invalidate));
  CHECK(starts_message(Opcode::write_only));
  CHECK(ends_message(Opcode::read_response_last));
  CHECK_FALSE(carries_payload(Opcode::read_request));
  CHECK_FALSE(is_request(Opcode::cnp));
  CHECK_FALSE(is_request(Opcode::ud_send_only));
}

TEST_CASE("AETH syndromes") {
  CHECK(Aeth{0x1F, 0}.is_ack());
  CHECK(Aeth{0x1F, 0}.code() == 31);
  CHECK(Aeth{0x2E, 0}.is_rnr_nak());
  CHECK(Aeth{0x2E, 0}.code() == 14);
  CHECK(Aeth{0x60, 0}.is_nak());
  CHECK(Aeth{0x62, 0}.code() == static_cast<int>(NakCode::remote_access_error));
}
