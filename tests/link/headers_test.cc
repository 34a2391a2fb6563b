// Headers that deceive, or that few senders use: what is in them, and what they are not taken for.
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "link/decoder.h"
#include "link/ethernet.h"
#include "link/frames.h"
#include "link/tunnel_headers.h"

using namespace steertag;
using namespace steertag::link;
using namespace steertag::link::test;

TEST_CASE("the GRH's traffic class is that of the packet") {
  const Octets inside = counting(32);
  const auto marked = before(Ipv6Header{.version_class_flow = 6u << 28 | 0x6Bu << 20 | 0xFFFFF,
                                        .payload_length = static_cast<uint16_t>(inside.size()),
                                        .next_header = ip_protocol::kIbTransport,
                                        .hop_limit = 9,
                                        .source = kSource6,
                                        .destination = kDestination6},
                             inside);
  Decoder decoder;
  const Packet& packet = decoder.decode(frame(ethernet(marked, 0x8915)));
  REQUIRE(packet.carrier == Carrier::roce1);
  CHECK(packet.routed.hops == 9);
  CHECK(packet.routed.traffic_class == 0x6B);
}

TEST_CASE("an IPv4 header shorter than one can be is not read") {
  Octets packet = ipv4(17, udp(counting(32)));
  packet.erase(packet.begin() + 16, packet.begin() + 20);
  packet[0] = 0x44;
  packet[3] -= 4;
  Decoder decoder;
  CHECK(decoder.decode(frame(ethernet(packet))).carrier == Carrier::none);
}

TEST_CASE("a fragment of an authenticated datagram waits for the others") {
  const Octets content = Octets{17, 4} + Octets(22, 0) + udp(counting(40));
  const Octets first(content.begin(), content.begin() + 64), second(content.begin() + 64, content.end());
  Decoder decoder;
  CHECK(decoder.decode(frame(ethernet(ipv4(51, first, {}, 0x2000)))).carrier == Carrier::none);
  const Packet& packet = decoder.decode(frame(ethernet(ipv4(51, second, {}, 8))));
  REQUIRE(packet.carrier == Carrier::roce2);
  CHECK(octets(packet.payload) == counting(40));
}

TEST_CASE("an IP packet under MPLS labels is one, even where its addresses look like an Ethernet frame") {
  const Octets content = udp(counting(32));
  const auto packet = before(Ipv4Header{.total_length = static_cast<uint16_t>(20 + content.size()),
                                        .source = {8, 0, 0x45, 1},
                                        .destination = kDestination4},
                             content);
  const Octets labelled = before(MplsLabel{0x4567800u * 16 | 0x100u | 64}, packet);
  Decoder decoder;
  const Packet& read = decoder.decode(frame(ethernet(labelled, 0x8847)));
  REQUIRE(read.carrier == Carrier::roce2);
  CHECK(read.source.text() == "8.0.69.1");
}

TEST_CASE("each byte of a MAC address, and each bit of a VLAN's number, is another way") {
  const EthernetHeader header{
      .destination = {1, 2, 3, 4, 5, 6}, .source = {7, 8, 9, 10, 11, 12}, .type = 0x0800};
  std::vector<uint32_t> ways = {way_of(header)};
  for (size_t i = 0; i < 6; ++i) {
    EthernetHeader other = header;
    other.source[i] = 99;
    ways.push_back(way_of(other));
    other = header;
    other.destination[i] = 99;
    ways.push_back(way_of(other));
  }
  for (int bit = 0; bit < 12; ++bit) {
    ways.push_back(way_of(ways[0], VlanTag{.control = static_cast<uint16_t>(1u << bit)}));
  }
  const std::set<uint32_t> different(ways.begin(), ways.end());
  CHECK(different.size() == 1 + 12 + 12);
  CHECK(way_of(ways[0], VlanTag{.control = 0xE001}) ==
        way_of(ways[0], VlanTag{.control = 1}));  // its priority is not
}
