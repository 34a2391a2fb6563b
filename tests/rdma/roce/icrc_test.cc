#include "rdma/roce/icrc.h"

#include <catch2/catch.hpp>

#include "link/decoder.h"
#include "link/frames.h"
#include "rdma/roce/packet.h"

using namespace steertag;
using namespace steertag::link::test;
using steertag::link::Carrier;
using steertag::rdma::roce::append_icrc;
using steertag::rdma::roce::icrc;
using steertag::rdma::roce::stored_icrc;

namespace {

Octets hex(const std::string& text) {
  Octets bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

// An RDMA WRITE Only and a CNP, IP header on; their ICRCs were computed apart from this code.
const Octets kWrite =
    hex("4500004c000100004011f54cc0a80201c0a8020201f412b70038ffa60a00ffff0000000200000000"
        "00000000000012300000000000000010000102030405060708090a0b0c0d0e0f");
const Octets kWriteIcrc = hex("ca47470e");
const Octets kCnp =
    hex("45c2003c718c4000401191610a0011010a001201000012b7002800008100ffff4000011800000000"
        "00000000000000000000000000000000");
const Octets kCnpIcrc = hex("82fd002a");

// A SEND Only over RoCEv2, with its ICRC.
Octets sent(bool v6) {
  rdma::roce::Packet packet;
  const Octets payload = counting(20);
  packet.payload = payload;
  Octets transport;
  encode(packet, transport);
  const Octets with_room = transport + Octets(4, 0);
  Octets out = v6 ? ipv6(17, udp(with_room)) : ipv4(17, udp(with_room));
  out.resize(out.size() - 4);
  REQUIRE(append_icrc(Carrier::roce2, out, 0, v6 ? 48 : 28));
  return out;
}

}  // namespace

TEST_CASE("the ICRC of a WRITE Only and of a CNP is what others compute") {
  for (const auto& [bytes, expected] : {std::pair(kWrite, kWriteIcrc), std::pair(kCnp, kCnpIcrc)}) {
    Octets out = bytes;
    REQUIRE(append_icrc(Carrier::roce2, out, 0, 28));
    CHECK(out == bytes + expected);
    link::Decoder decoder;
    const auto& packet = decoder.decode(frame(out, 101));
    REQUIRE(packet.carrier == Carrier::roce2);
    CHECK(icrc(packet) == stored_icrc(packet));
    CHECK(icrc(packet).has_value());
  }
}

TEST_CASE("the ICRC outlives what routers change, and nothing else") {
  const bool v6 = GENERATE(false, true);
  const Octets original = sent(v6);
  const std::vector<size_t> changeable4 = {1, 8, 10, 11, 26, 27, 32};
  const std::vector<size_t> changeable6 = {1, 2, 3, 7, 46, 47, 52};
  const auto& changeable = v6 ? changeable6 : changeable4;
  link::Decoder decoder;
  for (size_t at = 0; at + 4 < original.size(); ++at) {
    Octets bytes = original;
    bytes[at] ^= 0x01;
    const auto& packet = decoder.decode(frame(bytes, 101));
    if (packet.carrier != Carrier::roce2 || !icrc(packet)) {
      continue;  // the change made it something else
    }
    const bool may_change = std::find(changeable.begin(), changeable.end(), at) != changeable.end() ||
                            (v6 && at == 0 && bytes[0] >> 4 == 6);
    INFO("byte " << at);
    CHECK((icrc(packet) == stored_icrc(packet)) == may_change);
  }
}

TEST_CASE("no ICRC where it cannot be known") {
  const Octets whole = sent(false);
  link::Decoder decoder;
  SECTION("bytes are missing") {
    for (size_t captured = 0; captured < whole.size(); ++captured) {
      const Octets cut(whole.begin(), whole.begin() + static_cast<long>(captured));
      const auto& packet = decoder.decode(frame(cut, 101, static_cast<uint32_t>(whole.size())));
      CHECK_FALSE(icrc(packet));
      CHECK_FALSE(stored_icrc(packet));
    }
  }
  SECTION("native InfiniBand") {
    const Octets bytes = before(link::Lrh{.length_words = 2 + 8}, counting(32));
    const auto& packet = decoder.decode(frame(bytes, 247));
    REQUIRE(packet.carrier == Carrier::infiniband);
    CHECK_FALSE(icrc(packet));
    CHECK(stored_icrc(packet));
  }
  SECTION("IPv6 extension headers") {
    const Octets bytes = ipv6(60, Octets{17, 0, 1, 4, 0, 0, 0, 0} + udp(counting(32)));
    const auto& packet = decoder.decode(frame(bytes, 101));
    REQUIRE(packet.carrier == Carrier::roce2);
    CHECK_FALSE(icrc(packet));
  }
  SECTION("TCP, nothing, a packet shorter than an ICRC") {
    const Octets segment = ipv4(6, tcp(counting(64)));
    CHECK_FALSE(icrc(decoder.decode(frame(segment, 101))));
    CHECK_FALSE(icrc(link::Packet{}));
    const Octets tiny = ipv4(17, udp(counting(3)));
    CHECK_FALSE(icrc(decoder.decode(frame(tiny, 101))));
    CHECK_FALSE(stored_icrc(decoder.decode(frame(tiny, 101))));
    Octets nothing;
    CHECK_FALSE(append_icrc(Carrier::roce2, nothing, 0, 28));
  }
}

TEST_CASE("RoCEv1, to the best of our knowledge") {
  Octets out = grh(counting(32));
  REQUIRE(append_icrc(Carrier::roce1, out, 0, 40));
  Octets routed = out;
  routed[7] = 3;      // hop limit
  routed[44] = 0xC0;  // FECN, BECN
  CHECK(icrc(Carrier::roce1, Bytes(routed).first(72), 40) == icrc(Carrier::roce1, Bytes(out).first(72), 40));
}
