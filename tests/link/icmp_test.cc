// ICMP errors: which are handed on, what is read of them, and what a quote that is cut, damaged or about
// something else comes to.
#include "link/icmp.h"

#include <catch2/catch.hpp>

#include "link/decoder.h"
#include "link/frames.h"
#include "link/internet_checksum.h"

using namespace steertag;
using namespace steertag::link;
using namespace steertag::link::test;

namespace {

constexpr std::array<uint8_t, 4> kRouter4 = {10, 9, 9, 9};

const Octets kQuoted = counting(32);  // stands for BTH .. ICRC

void sum(Octets& message, uint32_t pseudo) {
  const uint32_t right = 0xFFFF - ones_sum(message, pseudo);
  message[2] = static_cast<uint8_t>(right >> 8);
  message[3] = static_cast<uint8_t>(right);
}

// A router's, to the sender of `about`.
Octets error4(const IcmpHeader& header, const Octets& about) {
  Octets message = before(header, about);
  sum(message, 0);
  return ethernet(before(Ipv4Header{.total_length = static_cast<uint16_t>(20 + message.size()),
                                    .protocol = ip_protocol::kIcmp,
                                    .source = kRouter4,
                                    .destination = kSource4},
                         message));
}

// The destination's, to the sender of `about`.
Octets error6(const IcmpHeader& header, const Octets& about) {
  Octets message = before(header, about);
  uint32_t pseudo = static_cast<uint32_t>(message.size()) + ip_protocol::kIcmpV6;
  pseudo = ones_sum(kDestination6, pseudo);
  sum(message, ones_sum(kSource6, pseudo));
  return ethernet(before(Ipv6Header{.payload_length = static_cast<uint16_t>(message.size()),
                                    .next_header = ip_protocol::kIcmpV6,
                                    .source = kDestination6,
                                    .destination = kSource6},
                         message),
                  ether_type::kIpv6);
}

std::optional<IcmpError> error_in(const Octets& bytes) {
  Decoder decoder;
  const Packet packet = decoder.decode(frame(bytes));
  CHECK(decoder.counters().other == 1);  // nothing that carries RDMA
  CHECK(packet.payload.empty());
  if (packet.carrier != Carrier::icmp) {
    CHECK(packet.carrier == Carrier::none);
    return std::nullopt;
  }
  return icmp_error(packet);
}

const IcmpHeader kPort4{.type = 3, .code = 3};
const IcmpHeader kPort6{.type = 1, .code = 4};

}  // namespace

TEST_CASE("an ICMP error goes where the packet that it quotes went") {
  Decoder decoder;
  const Octets bytes = error4(kPort4, ipv4(17, udp(kQuoted)));
  const Packet packet = decoder.decode(frame(bytes));
  REQUIRE(packet.carrier == Carrier::icmp);
  CHECK(packet.source == base::Address::ipv4(kSource4));
  CHECK(packet.destination == base::Address::ipv4(kDestination4));
  const std::optional<IcmpError> error = icmp_error(packet);
  REQUIRE(error);
  CHECK(error->by == base::Address::ipv4(kRouter4));
  CHECK_FALSE(error->version_six);
  CHECK(error->type == 3);
  CHECK(error->code == 3);
  CHECK(error->mtu == 0);
  CHECK(error->quote.protocol == ip_protocol::kUdp);
  CHECK(error->quote.id == 7);
  CHECK(error->quote.source_port == 50000);
  CHECK(error->quote.destination_port == 4791);
  CHECK(error->quote.udp_length == 40);
  CHECK(octets(error->quote.data) == kQuoted);
}

TEST_CASE("an ICMPv6 error quotes a TCP segment") {
  const std::optional<IcmpError> error = error_in(error6(kPort6, ipv6(6, tcp({}))));
  REQUIRE(error);
  CHECK(error->version_six);
  CHECK(error->by == base::Address::ipv6(kDestination6));
  CHECK(error->quote.source_port == 700);
  CHECK(error->quote.destination_port == 20049);
  CHECK(error->quote.sequence == 1000);
}

TEST_CASE("what is too large has an MTU, and nothing else has one") {
  const Octets about = ipv4(6, tcp({})), about6 = ipv6(6, tcp({}));
  CHECK(error_in(error4({.type = 3, .code = 4, .rest = 0xFFFF0000 | 1400}, about))->mtu == 1400);
  CHECK(error_in(error4({.type = 3, .code = 3, .rest = 1400}, about))->mtu == 0);
  CHECK(error_in(error6({.type = 2, .rest = 1280}, about6))->mtu == 1280);
  CHECK(error_in(error6({.type = 1, .rest = 1280}, about6))->mtu == 0);
}

TEST_CASE("a quote needs eight bytes behind its IP header") {
  for (size_t bytes = 0; bytes <= 40; ++bytes) {
    Octets four = ipv4(17, udp(kQuoted)), six = ipv6(17, udp(kQuoted));
    four.resize(20 + bytes);
    six.resize(40 + bytes);
    CHECK(error_in(error4(kPort4, four)).has_value() == (bytes >= 8));
    CHECK(error_in(error6(kPort6, six)).has_value() == (bytes >= 8));
  }
}

TEST_CASE("a wrong checksum makes it nothing, unless the capture does not have all of it") {
  for (Octets bytes : {error4(kPort4, ipv4(17, udp(kQuoted))), error6(kPort6, ipv6(17, udp(kQuoted)))}) {
    CHECK(error_in(bytes));
    const auto whole = static_cast<uint32_t>(bytes.size());
    bytes.back() ^= 1;
    CHECK_FALSE(error_in(bytes));
    bytes.pop_back();
    Decoder decoder;
    CHECK(decoder.decode(frame(bytes, 1, whole)).carrier == Carrier::icmp);
  }
}

TEST_CASE("other messages, and quotes of something else, are not handed on") {
  const Octets about = ipv4(17, udp(kQuoted));
  for (const uint8_t type : {0, 4, 5, 8, 13}) {
    CHECK_FALSE(error_in(error4({.type = type}, about)));
  }
  for (const uint8_t type : {0, 5, 128, 135, 136}) {
    CHECK_FALSE(error_in(error6({.type = type}, ipv6(17, udp(kQuoted)))));
  }
  CHECK_FALSE(error_in(error4(kPort4, ipv4(17, udp(kQuoted, 53)))));          // not RoCE
  CHECK_FALSE(error_in(error4(kPort4, ipv4(132, udp(kQuoted)))));             // neither UDP nor TCP
  CHECK_FALSE(error_in(error4(kPort4, ipv6(17, udp(kQuoted)))));              // another version of IP
  CHECK_FALSE(error_in(error4(kPort4, ipv4(17, udp(kQuoted), {}, 0x2001))));  // not the first fragment
  CHECK_FALSE(error_in(error4(kPort4, error4(kPort4, about))));               // an error about an error
  const Octets elsewhere =
      before(Ipv4Header{.total_length = 68, .source = kDestination4, .destination = kSource4}, udp(kQuoted));
  CHECK_FALSE(error_in(error4(kPort4, elsewhere)));  // of another sender than it goes to
}
