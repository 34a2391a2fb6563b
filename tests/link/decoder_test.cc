#include "link/decoder.h"

#include <catch2/catch.hpp>

#include "link/frames.h"

using namespace steertag;
using namespace steertag::link;
using namespace steertag::link::test;

namespace {

const Octets kTransport = counting(32);  // stands for BTH .. ICRC

// The frame carries kTransport over RoCEv2/IPv4.
void check_roce2(const Octets& bytes, uint32_t link_type) {
  Decoder decoder;
  const Packet& packet = decoder.decode(frame(bytes, link_type));
  CHECK(packet.carrier == Carrier::roce2);
  CHECK(octets(packet.payload) == kTransport);
  CHECK(packet.payload_length == kTransport.size());
  CHECK(packet.udp_source_port == 50000);
  CHECK(decoder.counters().roce == 1);
}

Carrier carrier(const Octets& bytes, uint32_t link_type = 1) {
  return Decoder().decode(frame(bytes, link_type)).carrier;
}

Octets vlan(uint16_t inner_type, const Octets& content) {
  return before(VlanTag{.control = 5, .type = inner_type}, content);
}

}  // namespace

TEST_CASE("RoCEv2 is found behind every link type") {
  const Octets four = ipv4(17, udp(kTransport));
  const Octets six = ipv6(17, udp(kTransport));
  SECTION("Ethernet, with and without padding") {
    check_roce2(ethernet(four), 1);
    check_roce2(ethernet(four) + Octets(4, 0xEE), 1);
    check_roce2(ethernet(six, 0x86DD), 1);
  }
  SECTION("VLAN stacks") {
    check_roce2(ethernet(vlan(0x0800, four), 0x8100), 1);
    check_roce2(ethernet(vlan(0x8100, vlan(0x0800, four)), 0x88A8), 1);
    check_roce2(ethernet(vlan(0x9100, vlan(0x8100, vlan(0x86DD, six))), 0x9100), 1);
  }
  SECTION("Linux cooked") {
    const Octets v1 = {0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0};
    check_roce2(v1 + Octets{0x08, 0x00} + four, 113);
    check_roce2(v1 + Octets{0x81, 0x00} + vlan(0x0800, four), 113);
    check_roce2(Octets{0x86, 0xDD, 0, 0, 0, 0, 0, 3, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0} + six, 276);
  }
  SECTION("raw IP") {
    for (const uint32_t type : {12u, 14u, 101u}) {
      check_roce2(four, type);
      check_roce2(six, type);
    }
    check_roce2(four, 228);
    check_roce2(six, 229);
  }
  SECTION("BSD loopback in either byte order") {
    check_roce2(Octets{2, 0, 0, 0} + four, 0);
    check_roce2(Octets{0, 0, 0, 2} + four, 0);
    check_roce2(Octets{0, 0, 0, 30} + six, 108);
    check_roce2(Octets{24, 0, 0, 0} + six, 0);
  }
  SECTION("ERF Ethernet record, with an extension header and trailing pad") {
    const Octets inner = ethernet(four);
    const auto wire_length = static_cast<uint8_t>(inner.size());
    const auto record = static_cast<uint8_t>(16 + 8 + 2 + inner.size() + 4);
    check_roce2(Octets(8, 0) + Octets{0x82, 0, 0, record, 0, 0, 0, wire_length} + Octets(8, 0) +
                    Octets{0, 0} + inner + Octets(4, 0xEE),
                197);
  }
}

TEST_CASE("two interfaces of one capture are two places") {
  const auto way = [](uint8_t interface) {
    const Octets cooked = {0x08, 0, 0, 0, 0, 0, 0, interface, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0};
    return Decoder().decode(frame(cooked + ipv4(17, udp(kTransport)), 276)).way;
  };
  CHECK(way(3) == way(3));
  CHECK(way(3) != way(4));
}

TEST_CASE("addresses are those of the network layer") {
  Decoder decoder;
  const Octets four = ethernet(ipv4(17, udp(kTransport)));
  CHECK(decoder.decode(frame(four)).source.text() == "10.9.0.1");
  CHECK(decoder.decode(frame(four)).destination.text() == "10.9.0.2");
  const Octets six = ethernet(ipv6(17, udp(kTransport)), 0x86DD);
  CHECK(decoder.decode(frame(six)).source.text() == "fd09::1");
  CHECK(decoder.decode(frame(six)).destination.text() == "fd09::2");
}

TEST_CASE("the network view begins with the IP header and ends with the datagram") {
  Decoder decoder;
  const Octets ip = ipv4(17, udp(kTransport));
  const Octets bytes = ethernet(ip) + Octets(10, 0);
  CHECK(octets(decoder.decode(frame(bytes)).network) == ip);
}

TEST_CASE("RoCEv1 and native InfiniBand") {
  Decoder decoder;
  SECTION("RoCEv1: the GRH's length counts, not the frame's") {
    const Octets bytes = ethernet(grh(kTransport), 0x8915) + Octets(8, 0xEE);
    const Packet& packet = decoder.decode(frame(bytes));
    CHECK(packet.carrier == Carrier::roce1);
    CHECK(octets(packet.payload) == kTransport);
    CHECK(packet.source.kind == base::Address::Kind::gid);
    CHECK(packet.network.size() == 40 + kTransport.size());
  }
  const Octets vcrc = {0xEE, 0xEE};
  const Lrh local{.service_and_next = 2, .destination_lid = 4, .length_words = 2 + 8, .source_lid = 3};
  SECTION("LRH and BTH; the VCRC is left out") {
    const Octets bytes = before(local, kTransport) + vcrc;
    const Packet& packet = decoder.decode(frame(bytes, 247));
    CHECK(packet.carrier == Carrier::infiniband);
    CHECK(octets(packet.payload) == kTransport);
    CHECK(packet.source.text() == "lid:3");
    CHECK(packet.destination.text() == "lid:4");
  }
  const Lrh global{.service_and_next = 3, .destination_lid = 4, .length_words = 2 + 10 + 8, .source_lid = 3};
  SECTION("LRH, GRH and BTH") {
    const Octets bytes = before(global, grh(kTransport)) + vcrc;
    const Packet& packet = decoder.decode(frame(bytes, 247));
    CHECK(packet.carrier == Carrier::infiniband);
    CHECK(octets(packet.payload) == kTransport);
    CHECK(packet.source.text() == "fd09::1");
    CHECK(packet.network.size() == 48 + kTransport.size());
  }
  SECTION("in an ERF record") {
    const Octets bytes = before(local, kTransport) + vcrc;
    const auto record = static_cast<uint8_t>(16 + bytes.size());
    const Octets header =
        Octets(8, 0) + Octets{21, 0, 0, record, 0, 0, 0, static_cast<uint8_t>(bytes.size())};
    const Octets whole = header + bytes;
    CHECK(octets(decoder.decode(frame(whole, 197)).payload) == kTransport);
    Octets link_packet = whole;
    link_packet[8] = 25;
    CHECK(decoder.decode(frame(link_packet, 197)).carrier == Carrier::none);
  }
  SECTION("LRH without a transport, and a GRH longer than its LRH says") {
    CHECK(carrier(before(Lrh{.service_and_next = 0, .length_words = 10}, kTransport), 247) == Carrier::none);
    CHECK(carrier(before(Lrh{.service_and_next = 3, .length_words = 15}, grh(kTransport)), 247) ==
          Carrier::none);
    CHECK(carrier(before(Lrh{.service_and_next = 2, .length_words = 1}, kTransport), 247) == Carrier::none);
  }
}

TEST_CASE("headers of variable length are stepped over") {
  SECTION("IPv4 options") {
    check_roce2(ethernet(ipv4(17, udp(kTransport), Octets(8, 1))), 1);
  }
  SECTION("IPv6 extension headers: hop-by-hop, routing, destination, AH, atomic fragment") {
    const Octets hop = {43, 0, 1, 4, 0, 0, 0, 0};
    const Octets routing = {60, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const Octets destination = {51, 0, 1, 4, 0, 0, 0, 0};
    const Octets authentication = Octets{44, 4} + Octets(22, 0);
    const Octets atomic = {17, 0, 0, 0, 1, 2, 3, 4};
    check_roce2(
        ethernet(ipv6(0, hop + routing + destination + authentication + atomic + udp(kTransport)), 0x86DD),
        1);
  }
  SECTION("IPv4 AH") {
    check_roce2(ethernet(ipv4(51, Octets{17, 4} + Octets(22, 0) + udp(kTransport))), 1);
  }
  SECTION("an extension header that reaches past the datagram") {
    CHECK(carrier(ethernet(ipv6(0, Octets{17, 200, 0, 0, 0, 0, 0, 0} + udp(kTransport)), 0x86DD)) ==
          Carrier::none);
  }
  SECTION("an endless chain") {
    Octets chain;
    for (int i = 0; i < 40; ++i) {
      chain = Octets{60, 0, 1, 4, 0, 0, 0, 0} + chain;
    }
    CHECK(carrier(ethernet(ipv6(60, chain + udp(kTransport)), 0x86DD)) == Carrier::none);
  }
  SECTION("no next header") {
    CHECK(carrier(ethernet(ipv6(59, kTransport), 0x86DD)) == Carrier::none);
  }
}

TEST_CASE("UDP: only the destination port decides, and its length counts") {
  CHECK(carrier(ethernet(ipv4(17, udp(kTransport, 4792)))) == Carrier::none);
  SECTION("ports of the user's choice") {
    Decoder decoder(Decoder::Options{{kRocePort, 1021}});
    const Octets bytes = ethernet(ipv4(17, udp(kTransport, 1021)));
    CHECK(decoder.decode(frame(bytes)).carrier == Carrier::roce2);
  }
  SECTION("shorter than the IP datagram") {
    check_roce2(ethernet(ipv4(17, udp(kTransport) + Octets(6, 0xEE))), 1);
  }
  SECTION("longer than the IP datagram, or shorter than its own header") {
    Octets too_long = ethernet(ipv4(17, udp(kTransport)));
    too_long[14 + 20 + 5] += 1;
    CHECK(carrier(too_long) == Carrier::none);
    Octets too_short = ethernet(ipv4(17, udp(kTransport)));
    too_short[14 + 20 + 5] = 7;
    Decoder decoder;
    CHECK(decoder.decode(frame(too_short)).carrier == Carrier::none);
    CHECK(decoder.counters().malformed == 1);
  }
}

TEST_CASE("TCP segments") {
  Decoder decoder;
  const Octets data = counting(10);
  SECTION("fields, options, padding") {
    const Octets bytes = ethernet(ipv4(6, tcp(data, Octets(12, 1)))) + Octets(6, 0xEE);
    const Packet& packet = decoder.decode(frame(bytes));
    CHECK(packet.carrier == Carrier::tcp);
    CHECK(packet.tcp.source_port == 700);
    CHECK(packet.tcp.destination_port == 20049);
    CHECK(packet.tcp.sequence == 1000);
    CHECK(packet.tcp.acknowledgment == 2000);
    CHECK(packet.tcp.syn);
    CHECK(packet.tcp.ack);
    CHECK_FALSE(packet.tcp.fin);
    CHECK_FALSE(packet.tcp.rst);
    CHECK(octets(packet.payload) == data);
    CHECK(decoder.counters().tcp == 1);
  }
  SECTION("a total length of zero: as long as the frame") {
    Octets bytes = ethernet(ipv4(6, tcp(data)));
    bytes[16] = bytes[17] = 0;
    CHECK(octets(decoder.decode(frame(bytes)).payload) == data);
    CHECK(decoder.decode(frame(bytes, 1, 70000)).payload_length == 70000 - 54);
  }
  SECTION("a data offset that contradicts the segment") {
    Octets bytes = ethernet(ipv4(6, tcp(data)));
    bytes[14 + 20 + 12] = 0xF0;
    CHECK(decoder.decode(frame(bytes)).carrier == Carrier::none);
    bytes[14 + 20 + 12] = 0x40;
    CHECK(decoder.decode(frame(bytes)).carrier == Carrier::none);
    CHECK(decoder.counters().malformed == 2);
  }
}

TEST_CASE("what is not ours is counted, not read") {
  Decoder decoder;
  const Octets arp = ethernet(Octets(28, 0), 0x0806);
  const Octets icmp = ethernet(ipv4(1, kTransport));
  CHECK(decoder.decode(frame(arp)).carrier == Carrier::none);
  CHECK(decoder.decode(frame(icmp)).carrier == Carrier::none);
  CHECK(decoder.decode(frame(arp, 9999)).carrier == Carrier::none);
  const Octets nothing;
  CHECK(decoder.decode(frame(nothing, 101)).carrier == Carrier::none);
  CHECK(decoder.counters().frames == 4);
  CHECK(decoder.counters().other == 2);
  CHECK(decoder.counters().unknown_link == 1);
  CHECK(decoder.counters().malformed == 1);
}
