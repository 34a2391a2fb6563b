// Frames in tunnels: whatever a switch puts around a frame or a packet is taken
// off, and what is inside is handed on as if nothing were around it.
#include "link/tunnel.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "link/decoder.h"
#include "link/frames.h"
#include "link/tunnel_headers.h"

using namespace steertag;
using namespace steertag::link;
using namespace steertag::link::test;

namespace {

const Octets kInside = counting(32);  // stands for BTH .. ICRC
const Octets kPacket = ipv4(17, udp(kInside));
const Octets kPacket6 = ipv6(17, udp(kInside));
const Octets kFrame = ethernet(kPacket);

Octets gre(uint16_t protocol, const Octets& content, uint16_t flags = 0) {
  Octets options;
  for (const uint16_t flag : {GreHeader::kChecksum, GreHeader::kKey, GreHeader::kSequence}) {
    options = (flags & flag) != 0 ? options + Octets{1, 2, 3, 4} : options;
  }
  return before(GreHeader{flags, protocol}, options + content);
}
Octets vxlan(const Octets& content, VxlanHeader header = {}, uint16_t port = 4789) {
  return udp(before(header, content), port);
}
Octets geneve(const Octets& content, const Octets& options = {}, GeneveHeader header = {}) {
  header.version_and_length = static_cast<uint8_t>(header.version_and_length | options.size() / 4);
  return udp(before(header, options + content), 6081);
}
Octets mpls(const Octets& content, int labels = 2) {
  Octets stack;
  for (int i = 1; i <= labels; ++i) {
    stack = stack + before(MplsLabel{0x4567800u * 16 | (i == labels ? 0x100u : 0u) | 64}, {});
  }
  return stack + content;
}
const Octets kControlWord = {0, 0, 0, 1};
constexpr uint16_t kSequence = GreHeader::kSequence;
constexpr uint16_t kAll = GreHeader::kChecksum | GreHeader::kKey | GreHeader::kSequence;

struct Case {
  const char* name;
  Octets frame;
  bool v6 = false;  // inside
};

std::vector<Case> tunnels() {
  const Octets erspan2 = before(Erspan2{.session = 0x0805}, kFrame);
  const Octets erspan3 = before(Erspan3{}, kFrame);
  const Octets platform = before(Erspan3{.flags = 0x8001}, Octets(8, 7) + kFrame);
  const Octets erspan_ip = before(Erspan3{.flags = 0x0800}, kPacket);
  const Octets tagged = ethernet(before(VlanTag{.control = 9, .type = 0x0800}, kPacket), 0x8100);
  return {
      {"GRE", ethernet(ipv4(47, gre(0x6558, kFrame)))},
      {"GRE of IP", ethernet(ipv4(47, gre(0x0800, kPacket, kAll)))},
      {"GRE of IPv6, over IPv6", ethernet(ipv6(47, gre(0x86DD, kPacket6)), 0x86DD), true},
      {"GRE with a key", ethernet(ipv4(47, gre(0x6558, tagged, GreHeader::kKey)))},
      {"ERSPAN I", ethernet(ipv4(47, gre(0x88BE, kFrame)))},
      {"ERSPAN II", ethernet(ipv4(47, gre(0x88BE, erspan2, kSequence)))},
      {"ERSPAN III", ethernet(ipv4(47, gre(0x22EB, erspan3, kSequence)))},
      {"ERSPAN III with a platform header", ethernet(ipv4(47, gre(0x22EB, platform, kSequence)))},
      {"ERSPAN III of IP", ethernet(ipv4(47, gre(0x22EB, erspan_ip, kSequence)))},
      {"VXLAN", ethernet(ipv4(17, vxlan(kFrame)))},
      {"VXLAN of IP", ethernet(ipv4(17, vxlan(kPacket, {.flags = 0x0C, .reserved = 1})))},
      {"GENEVE", ethernet(ipv6(17, geneve(kFrame)), 0x86DD)},
      {"GENEVE with options, of IP",
       ethernet(ipv4(17, geneve(kPacket6, Octets(12, 1), {.protocol = 0x86DD}))), true},
      {"MPLS", ethernet(mpls(kPacket), 0x8847)},
      {"MPLS of IPv6", ethernet(mpls(kPacket6, 1), 0x8848), true},
      {"MPLS pseudowire", ethernet(mpls(kFrame), 0x8847)},
      {"MPLS pseudowire with a control word", ethernet(mpls(kControlWord + kFrame), 0x8847)},
      {"MPLS over GRE", ethernet(ipv4(47, gre(0x8847, mpls(kFrame))))},
      {"MPLS in IP", ethernet(ipv4(137, mpls(kPacket)))},
      {"4in4", ethernet(ipv4(4, kPacket))},
      {"6in4", ethernet(ipv4(41, kPacket6)), true},
      {"4in6", ethernet(ipv6(4, kPacket), 0x86DD)},
      {"6in6", ethernet(ipv6(41, kPacket6), 0x86DD), true},
      {"nested", ethernet(mpls(ipv6(4, ipv4(47, gre(0x88BE, ethernet(ipv4(17, vxlan(kFrame))))))), 0x8847)},
  };
}

}  // namespace

TEST_CASE("tunnels: what is inside is handed on") {
  for (const Case& c : tunnels()) {
    INFO(c.name);
    Decoder decoder;
    const Packet& packet = decoder.decode(frame(c.frame));
    REQUIRE(packet.carrier == Carrier::roce2);
    CHECK(octets(packet.payload) == kInside);
    CHECK(packet.source.text() == (c.v6 ? "fd09::1" : "10.9.0.1"));
    // The ICRC covers the inner packet from its IP header on, and nothing around it.
    CHECK(octets(packet.network) == (c.v6 ? kPacket6 : kPacket));
    CHECK(decoder.counters().tunnels >= 1);
    CHECK(decoder.counters().roce == 1);
  }
}

TEST_CASE("tunnels: cut anywhere, they are read as far as they go") {
  for (const Case& c : tunnels()) {
    const size_t transport_at = c.frame.size() - kInside.size();
    for (size_t captured = 14; captured <= c.frame.size(); ++captured) {
      INFO(c.name << ", " << captured << " of " << c.frame.size());
      const auto exact = std::make_unique<uint8_t[]>(captured);  // a sanitizer sees what reads past it
      std::copy_n(c.frame.begin(), captured, exact.get());
      Frame cut = frame(c.frame);
      cut.bytes = Bytes(exact.get(), captured);
      Decoder decoder;
      const Packet& packet = decoder.decode(cut);
      if (captured < transport_at) {
        CHECK(packet.carrier == Carrier::none);
        CHECK(decoder.counters().cut == 1);
      } else {
        CHECK(packet.carrier == Carrier::roce2);
        CHECK(packet.payload_length == kInside.size());
      }
    }
  }
}

TEST_CASE("tunnels: fragments of the outer datagram are reassembled first") {
  const Octets whole = vxlan(ethernet(ipv4(17, udp(counting(1000)))));
  Decoder decoder;
  for (int again = 0; again < 3; ++again) {  // and so are copies of them
    for (size_t at = 0; at < whole.size(); at += 400) {
      const bool more = at + 400 < whole.size();
      const Octets piece(whole.begin() + static_cast<long>(at),
                         whole.begin() + static_cast<long>(std::min(at + 400, whole.size())));
      const Octets part = ethernet(ipv4(17, piece, {}, static_cast<uint16_t>((more ? 0x2000 : 0) | at / 8)));
      const Packet& packet = decoder.decode(frame(part));
      CHECK(packet.carrier == (more ? Carrier::none : Carrier::roce2));
      CHECK(packet.payload_length == (more ? 0 : 1000));
    }
  }
  CHECK(decoder.counters().fragments_dropped == 0);
}

TEST_CASE("tunnels: ports of VXLAN and GENEVE can be added") {
  const Octets elsewhere = ethernet(ipv4(17, vxlan(kFrame, {}, 8472)));
  CHECK(Decoder().decode(frame(elsewhere)).carrier == Carrier::none);
  Decoder::Options options;
  options.vxlan_ports.push_back(8472);
  Decoder decoder(options);
  CHECK(decoder.decode(frame(elsewhere)).carrier == Carrier::roce2);
}

TEST_CASE("tunnels: what is none, or too deep, is left alone") {
  const auto left = [](const Octets& bytes) {
    Decoder decoder;
    CHECK(decoder.decode(frame(bytes)).carrier == Carrier::none);
    CHECK(decoder.counters().cut == 0);
    return decoder.counters().other + decoder.counters().malformed == 1;
  };
  CHECK(left(ethernet(ipv4(47, gre(0x880B, kFrame, 1)))));                         // PPTP
  CHECK(left(ethernet(ipv4(47, gre(0x0800, Octets(4, 0) + kPacket, 0x4000)))));    // routing
  CHECK(left(ethernet(ipv4(47, gre(0x88BE, Octets(8, 0) + kFrame, kSequence)))));  // no known version
  CHECK(left(ethernet(ipv4(17, vxlan(kFrame, {.flags = 0})))));
  CHECK(left(ethernet(ipv4(17, geneve(kFrame, {}, {.version_and_length = 0x40})))));
  CHECK(left(ethernet(ipv4(17, geneve(kFrame, {}, {.flags = 0x80})))));
  CHECK(left(ethernet(mpls(kPacket, 17), 0x8847)));
  CHECK(left(ethernet(mpls({}, 3), 0x8847)));
  Octets deep = kPacket;
  for (uint32_t i = 0; i < Decoder::kMaxDepth; ++i) {
    deep = ipv4(4, deep);
  }
  CHECK(Decoder().decode(frame(ethernet(deep))).carrier == Carrier::roce2);
  CHECK(left(ethernet(ipv4(4, deep))));
}

TEST_CASE("tunnels: a copy says that it was seen elsewhere, and a packet's own path does not change") {
  const auto way = [](const Octets& bytes) { return Decoder().decode(frame(bytes)).way; };
  CHECK(way(kFrame) == way(ethernet(ipv4(17, udp(counting(99))))));
  CHECK(way(kFrame) != way(ethernet(before(VlanTag{.control = 9, .type = 0x0800}, kPacket), 0x8100)));
  CHECK(way(kFrame) != way(ethernet(ipv4(17, vxlan(kFrame)))));
  CHECK(way(ethernet(ipv4(17, vxlan(kFrame, {.network = 1})))) !=
        way(ethernet(ipv4(17, vxlan(kFrame, {.network = 2})))));
  const auto erspan = [&](uint32_t index) {
    return way(ethernet(ipv4(47, gre(0x88BE, before(Erspan2{.index = index}, kFrame), kSequence))));
  };
  CHECK(erspan(1) == erspan(2));
}

TEST_CASE("pause frames: who asks whom to stop, and for how long") {
  EthernetHeader header{
      .destination = {1, 0x80, 0xC2, 0, 0, 1}, .source = {2, 0, 0, 0, 0, 7}, .type = 0x8808};
  const Octets priority =
      Octets{1, 1, 0, 0x08} + Octets(6, 9) + Octets{0xFF, 0xFF} + Octets(8, 9) + Octets(26, 0);
  Decoder decoder;
  Packet packet;
  decoder.decode(frame(before(header, priority)), packet);
  REQUIRE(packet.carrier == Carrier::pause);
  CHECK(packet.pause.from == header.source);
  CHECK(packet.pause.classes == 8);
  CHECK(packet.pause.quanta == std::array<uint16_t, 8>{0, 0, 0, 0xFFFF, 0, 0, 0, 0});
  CHECK(packet.pause.stops());
  decoder.decode(frame(before(header, Octets{0, 1, 0, 0} + Octets(42, 0))), packet);
  CHECK(packet.carrier == Carrier::pause);
  CHECK_FALSE(packet.pause.stops());
  CHECK(decoder.counters().pauses == 2);
  // 802.3x: all classes, each as long.
  decoder.decode(frame(before(header, Octets{0, 1, 0, 5} + Octets(42, 0))), packet);
  CHECK(packet.pause.classes == 0xFF);
  CHECK(packet.pause.quanta == std::array<uint16_t, 8>{5, 5, 5, 5, 5, 5, 5, 5});
  CHECK(packet.pause.stops());
  CHECK(decoder.decode(frame(before(header, Octets{0, 2, 0, 0}))).carrier == Carrier::none);
  CHECK(decoder.decode(frame(before(header, Octets{1, 1, 0, 8, 0, 0}))).carrier == Carrier::none);
  CHECK(decoder.counters().malformed == 1);
}

TEST_CASE("the IP header's ECN, TTL and identification are those of the innermost") {
  const auto marked = before(Ipv4Header{.type_of_service = 3,
                                        .total_length = static_cast<uint16_t>(20 + 8 + kInside.size()),
                                        .id = 77,
                                        .time_to_live = 9,
                                        .source = kSource4,
                                        .destination = kDestination4},
                             udp(kInside));
  Decoder decoder;
  const Packet& packet = decoder.decode(frame(ethernet(ipv4(4, marked))));
  REQUIRE(packet.carrier == Carrier::roce2);
  CHECK(packet.routed.congested());
  CHECK(packet.routed.hops == 9);
  CHECK(packet.routed.id == 77);
  CHECK_FALSE(decoder.decode(frame(kFrame)).routed.congested());
}
