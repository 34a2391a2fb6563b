// What tunnels enclose, and say of hosts, where it is not what it seems.
#include <algorithm>
#include <catch2/catch.hpp>

#include "link/frames.h"
#include "link/internet_checksum.h"
#include "sanitize/made.h"

namespace steertag::sanitize {
namespace {

using namespace link::test;

Octets sanitized_frame(const Octets& frame) {
  support::Trace trace;
  trace.frames.push_back({{.number = 1}, frame, static_cast<uint32_t>(frame.size())});
  return sanitized(trace).frames[0].bytes;
}

bool holds(const Octets& all, const Octets& some) {
  return std::search(all.begin(), all.end(), some.begin(), some.end()) != all.end();
}

TEST_CASE("the addresses of an Ethernet frame behind MPLS labels are not taken for IP") {
  const Octets label = {0x12, 0xFD, 0x11, 0x40};
  for (const Octets& address : {Octets{0x4C, 0xAB, 0xCD, 0xEF, 1, 2}, Octets{0x45, 0xAB, 0, 0x30, 1, 2},
                                Octets{0x64, 0xAB, 0xCD, 0xEF, 0, 2}, Octets{0x6C, 0xAB, 0xCD, 0xEF, 1, 2}}) {
    const Octets inside = address + Octets{0x48, 0x11, 0x22, 0x33, 0x44, 0x55, 0x88, 0xCC} + Octets(90, 0x41);
    const Octets after = sanitized_frame(ethernet(label + inside, 0x8847));
    CHECK_FALSE(holds(after, Octets(address.begin(), address.begin() + 3)));
    CHECK_FALSE(holds(after, {0x48, 0x11, 0x22}));
  }
  for (const Octets& ip : {ipv4(17, udp(Octets(40, 0x41), 9)), ipv6(17, udp(Octets(40, 0x41), 9))}) {
    const Octets after = sanitized_frame(ethernet(label + ip, 0x8847));
    constexpr size_t kBehindLabel = 18, kFront = 8;
    CHECK(std::equal(ip.begin(), ip.begin() + kFront, after.begin() + kBehindLabel));
  }
}

TEST_CASE("what a tunnel encloses is shown where its IPv4 header is not damaged") {
  const Octets gre = {0, 0, 0x08, 0};
  Octets inside = ipv4(17, udp(Octets(40, 0x41), 9));
  const Octets front(inside.begin(), inside.begin() + 4);
  CHECK(holds(sanitized_frame(ethernet(ipv4(47, gre + inside))), gre + front));
  constexpr size_t kChecksum = 10;
  inside[kChecksum] ^= 0x55;
  CHECK_FALSE(holds(sanitized_frame(ethernet(ipv4(47, gre + inside))), front));
}

TEST_CASE("the clock, a security group and a platform's header of ERSPAN are gone") {
  const Octets inside = ethernet(ipv4(17, udp(Octets(40, 0x41), 9)));
  const Octets mirror = {0x20, 0, 0,   1,   'c', 'l', 'o', 'k', 'S', 'G',
                         0x80, 1, 'p', 'l', 'a', 't', 'f', 'o', 'r', 'm'};
  const Octets gre = {0, 0, 0x22, 0xEB}, numbered = {0x10, 0, 0x88, 0xBE, 0, 0, 0, 1};
  for (const Octets& front : {gre, numbered}) {
    const Octets after = sanitized_frame(ethernet(ipv4(47, front + mirror + inside)));
    CHECK(holds(after, front + Octets(mirror.begin(), mirror.begin() + 4) + Octets(6, 0) + Octets{0x80, 1} +
                           Octets(8, 0)));
  }
}

// Its first address begins as ERSPAN type III does, behind no sequence number.
TEST_CASE("an Ethernet frame in ERSPAN of type I is none of type III") {
  const Octets inside =
      Octets{0x24, 0x8A, 7, 1, 2, 3, 0x24, 0x8A, 7, 4, 5, 7, 8, 0} + ipv4(17, udp(Octets(40, 0x41), 9));
  const Octets after = sanitized_frame(ethernet(ipv4(47, Octets{0, 0, 0x88, 0xBE} + inside)));
  CHECK(holds(after, Octets(inside.begin() + 12, inside.begin() + 18)));
}

TEST_CASE("reserved bits of tunnels are gone") {
  const Octets inside = ipv4(17, udp(Octets(40, 0x41), 9)), frame = ethernet(inside);
  const auto header = [](const Octets& after, size_t at, size_t size) {
    return Octets(after.begin() + static_cast<ptrdiff_t>(at),
                  after.begin() + static_cast<ptrdiff_t>(at + size));
  };
  constexpr size_t kIp = 34, kUdp = 42;  // what is in front
  CHECK(header(sanitized_frame(ethernet(ipv4(47, Octets{0x0D, 0xA8, 8, 0} + inside))), kIp, 4) ==
        Octets{0, 0, 8, 0});
  CHECK(header(sanitized_frame(ethernet(ipv4(
                   47, Octets{0x10, 0, 0x88, 0xBE, 0, 0, 0, 1, 0x10, 0, 0, 1, 0xDE, 0xA1, 2, 3} + frame))),
               kIp + 8, 8) == Octets{0x10, 0, 0, 1, 0, 1, 2, 3});
  CHECK(header(sanitized_frame(ethernet(
                   ipv4(17, udp(Octets{1, 0x2A, 0x65, 0x58, 1, 2, 3, 0xAB, 1, 2, 3, 0} + frame, 6081)))),
               kUdp, 12) == Octets{1, 0, 0x65, 0x58, 1, 2, 3, 0, 0, 0, 0, 0});
}

// RFC 2784 §2.1.
TEST_CASE("what is reserved behind a checksum of GRE is gone") {
  const Octets inside = ipv4(17, udp(Octets(40, 0x41), 9));
  const Octets after = sanitized_frame(ethernet(ipv4(47, Octets{0x80, 0, 0x08, 0, 1, 2, 'x', 'y'} + inside)));
  constexpr size_t kReserved = 14 + 20 + 6;
  CHECK(Octets(after.begin() + kReserved, after.begin() + kReserved + 2) == Octets{0, 0});
  CHECK(holds(after, Octets(inside.begin(), inside.begin() + 4)));
}

// draft-smith-vxlan-group-policy: a group is where reserved bytes were. draft-ietf-nvo3-vxlan-gpe: so is what
// follows.
TEST_CASE("a group and reserved bytes of VXLAN are gone") {
  const Octets inside = ethernet(ipv4(17, udp(Octets(40, 0x41), 9)));
  const auto header = [&](const Octets& vxlan) {
    const Octets after = sanitized_frame(ethernet(ipv4(17, udp(vxlan + inside, 4789))));
    return Octets(after.begin() + 42, after.begin() + 42 + 8);
  };
  CHECK(header({0xDB, 'a', 'b', 'c', 1, 2, 3, 'd'}) == Octets{0x88, 0, 0, 0, 1, 2, 3, 0});
  CHECK(header({0x0C, 'a', 'b', 3, 1, 2, 3, 'd'}) == Octets{0x0C, 0, 0, 3, 1, 2, 3, 0});
}

TEST_CASE("of a datagram that looks like RoCE no number stays") {
  const Octets bth = {0x0A, 0x40, 0xFF, 0xFF, 0, 'a', 'b', 'c', 0x80, 'd', 'e', 'f'};
  const Octets after = sanitized_frame(ethernet(ipv4(17, udp(bth + Octets(8, 0x41), 999))));
  CHECK(holds(after, {0x0A, 0x40, 0xFF, 0xFF, 0, 0, 0, 0, 0x80, 0, 0, 0, 0}));
}

// RFC 792: an ICMP error quotes the packet that it is about.
TEST_CASE("of a quoted datagram to the port of RoCE a BTH is shown, and nothing else") {
  const Octets bth = {0x0A, 0x40, 0xFF, 0xFF, 0, 'a', 'b', 'c', 0x80, 'd', 'e', 'f'};
  Octets other = bth;
  other[2] = 'x';
  for (const Octets& content : {bth, other}) {
    Octets quoted = ipv4(17, udp(content + Octets(16, 0x41), 4791));
    std::swap_ranges(quoted.begin() + 12, quoted.begin() + 16, quoted.begin() + 16);  // to its sender
    Octets message = Octets{3, 3, 0, 0, 0, 0, 0, 0} + quoted;
    const uint32_t sum = 0xFFFF - link::ones_sum(message);
    message[2] = static_cast<uint8_t>(sum >> 8);
    message[3] = static_cast<uint8_t>(sum);
    const Octets after = sanitized_frame(ethernet(ipv4(1, message)));
    CHECK(holds(after, {'a', 'b', 'c'}) == (content == bth));
    CHECK(holds(after, {0x12, 0xB7}));
  }
}

}  // namespace
}  // namespace steertag::sanitize
