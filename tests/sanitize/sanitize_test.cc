// Whole conversations: what is heard of them afterwards, and what is not to be found in them any more.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "link/frames.h"
#include "link/internet_checksum.h"
#include "nfs/made.h"
#include "sanitize/checksum.h"
#include "sanitize/made.h"
#include "support/scenario_trace.h"

namespace steertag::sanitize {
namespace {

constexpr const char* kSetup = "client> connect R=1 send=4096 receive=4096\n";

TEST_CASE("as much is heard of a sanitized conversation, and checksums are right") {
  for (const scenario::Fabric fabric : support::kFabrics) {
    const support::Trace trace = support::compiled(std::string(kSetup) + kRpcs, fabric);
    const support::Trace out = sanitized(trace);
    CHECK(heard(out) == heard(trace));
    CHECK(heard(trace).find(" 0 wrong") != std::string::npos);
    CHECK(heard(trace).find("12 messages, 6 RPCs") == 0);
    CHECK(sanitized(trace).frames[5].bytes == out.frames[5].bytes);
    CHECK_FALSE(holds(out, std::string("\x0A\x00\x00\x01", 4)));
    CHECK(holds(trace, std::string("\x0A\x00\x00\x01", 4)));
  }
}

// Whoever waits for a Reply to know what it is has had the chunks of the Call before it.
TEST_CASE("as much is heard where the capture begins with a Call that has chunks") {
  for (const char* rpc : {"client> call nfs3 READDIR reply(@r 4096)\nserver> write @r\nserver> reply nomsg\n",
                          "client> call nfs3 WRITE size=3000\nserver> serve\n",
                          "client> call nfs3 WRITE read(@w 5000)\nserver> serve\n"}) {
    const support::Trace trace = support::compiled(std::string(rpc) + rpc, scenario::Fabric::roce2);
    CHECK(heard(trace).find("4 messages, 2 RPCs") == 0);
    CHECK(heard(sanitized(trace)) == heard(trace));
    CHECK(found(sanitized(trace)) == found(trace));
  }
}

TEST_CASE("what may be no XID stays only where it is too small for content") {
  const std::string before = std::string(kSetup) + "client> call xid=0x11 nfs3 NULL rpc.xid=";
  const support::Trace large = support::compiled(before + "0x41424344\n", scenario::Fabric::roce2);
  CHECK(holds(large, "ABCD"));
  CHECK_FALSE(holds(sanitized(large), "ABCD"));
  const support::Trace small = support::compiled(before + "0x12\n", scenario::Fabric::roce2);
  for (const support::Trace& trace : {large, small}) {
    CHECK(found(sanitized(trace)) == found(trace));
    CHECK(found(trace).find("XID-01") != std::string::npos);
  }
}

TEST_CASE("as much is heard of an RPC message that ends behind its XID") {
  for (const scenario::Fabric fabric : support::kFabrics) {
    const support::Trace trace = support::compiled(
        std::string(kSetup) + "client> call nfs3 NULL\nserver> reply\nserver> reply xid=9 cut=32\n", fabric);
    CHECK(found(trace).find("PAY-02") != std::string::npos);
    CHECK(found(sanitized(trace)) == found(trace));
  }
}

TEST_CASE("a checksum that was wrong stays wrong") {
  for (const scenario::Fabric fabric : support::kFabrics) {
    const support::Trace trace = support::compiled(
        std::string(kSetup) +
            "client> call nfs3 GETATTR bad_checksum\nclient> call nfs3 GETATTR\nserver> reply\n",
        fabric);
    CHECK(heard(trace).find(" 0 wrong") == std::string::npos);
    CHECK(heard(sanitized(trace)) == heard(trace));
  }
}

TEST_CASE("a Reply that was sent twice is written as what it was when its Call was known") {
  const support::Trace trace = support::compiled(
      "client> connect\nclient> call xid=5 nfs3 GETATTR\nserver> reply xid=5\nserver> reply xid=5\n",
      scenario::Fabric::roce2);
  const support::Trace once = support::compiled(
      "client> connect\nclient> call xid=5 nfs3 GETATTR\nserver> reply xid=5\n", scenario::Fabric::roce2);
  const support::Trace out = sanitized(trace), alone = sanitized(once);
  const auto reply = [](const support::Trace& of) { return of.frames[5].bytes; };
  CHECK(reply(once) == reply(trace));
  CHECK(reply(alone) == reply(out));
}

TEST_CASE("frames that were cut stay as short, and say as much") {
  for (const scenario::Fabric fabric : support::kFabrics) {
    for (const char* snaplen : {"snaplen 60\n", "snaplen 96\n", "snaplen 200\n"}) {
      const support::Trace trace = support::compiled(snaplen + std::string(kSetup) + kRpcs, fabric);
      CHECK(heard(sanitized(trace)) == heard(trace));
    }
  }
}

// RFC 5531 §8.3: NFSv4 takes the program of its callbacks from a range that is anybody's.
TEST_CASE("nothing stays of what another program says whose number a callback may have") {
  const auto message = [](const made::Message& rpc) {
    return hex(made::Message().words(0x1234, 1, 32, 0, 0, 0, 0).add(rpc));
  };
  made::Message call = made::call(1, 1, 0x40000777).opaque(4).words(0x00554944).fill(12, 'x');
  made::Message reply = made::reply().words(0x1235).opaque(4).words(1, 0x00474944).fill(8, 'x');
  const support::Trace trace =
      support::compiled(std::string(kSetup) + "client> call nfs3 NULL\nserver> reply\nclient> send " +
                            message(call) + "\nserver> send " + message(reply) + "\n",
                        scenario::Fabric::roce2);
  const std::string user("\0UID", 4), group("\0GID", 4), status("\0\0\x12\x35", 4);
  const support::Trace out = sanitized(trace);
  CHECK(holds(trace, user));
  CHECK(holds(trace, group));
  CHECK_FALSE(holds(out, user));
  CHECK_FALSE(holds(out, group));
  CHECK_FALSE(holds(out, status));
}

// Of ERR_VERS in version one and two, CANT_REPLY, and RDMA_MSGP.
TEST_CASE("of a transport header no number is a text but one of a chunk") {
  for (const char* message : {"server> send 000000050000000100000020000000040000000173656372657474",
                              "server> send 000000050000000200000020000000040000000173656372657474",
                              "server> send 00000005000000020000002000000004000000030000000173656372657474",
                              "client> send 0000000500000001000000200000000273656372657474"}) {
    const support::Trace trace = support::compiled(
        std::string(kSetup) + "client> call nfs3 NULL xid=5\n" + message + "74000000000000000000000000\n",
        scenario::Fabric::roce2);
    CHECK(holds(trace, "secrettt"));
    CHECK_FALSE(holds(sanitized(trace), "secr"));
    CHECK_FALSE(holds(sanitized(trace), "ettt"));
  }
}

// krb5i, and a Reply that is not wrapped: its first words are no length and no sequence number.
TEST_CASE("no text stays where a Reply lacks the integrity that its Call has") {
  made::Message call, reply;
  call.words(5, 1, 32, 0, 0, 0, 0)
      .words(5, 0, 2, 100003, 3, 1, 6, 24, 1, 0, 7, 2, 4)
      .fill(4)
      .words(6, 4)
      .fill(4);
  call.words(12, 7, 4).fill(4).opaque(4);
  reply.words(5, 1, 32, 0, 0, 0, 0).words(5, 1, 0, 6, 4).fill(4).words(0, 0x73656372, 0x65747474).fill(40);
  const support::Trace trace = support::compiled(
      std::string(kSetup) + "client> send " + hex(call) + "\nserver> send " + hex(reply) + "\n",
      scenario::Fabric::roce2);
  CHECK(heard(trace).find("2 messages, 1 RPCs") == 0);
  CHECK(holds(trace, "secrettt"));
  CHECK_FALSE(holds(sanitized(trace), "secr"));
  CHECK_FALSE(holds(sanitized(trace), "ettt"));
}

// RFC 2203 §5.3.2.2: under integrity the number of the credential comes again in front of the arguments.
TEST_CASE("a sequence number stays where it is that of the credential") {
  constexpr uint32_t kNumber = 0x73656372, kNull = 0, kUnknown = 99;
  const auto shown = [](uint32_t credential, uint32_t body, uint32_t procedure) {
    made::Message call;
    call.words(5, 1, 32, 0, 0, 0, 0)
        .words(5, 0, 2, 100003, 3, procedure, 6, 24, 1, 0, credential, 2, 4)
        .fill(4)
        .words(6, 4)
        .fill(4);
    call.words(4, body).opaque(4);
    const support::Trace trace =
        support::compiled(std::string(kSetup) + "client> send " + hex(call) + "\n", scenario::Fabric::roce2);
    return holds(sanitized(trace), "secr");
  };
  CHECK(shown(kNumber, kNumber, kNull));
  CHECK_FALSE(shown(7, kNumber, kNull));
  CHECK_FALSE(shown(7, kNumber, kUnknown));
}

TEST_CASE("tunnels are gone through") {
  for (const char* tunnel : {"vxlan", "gre", "geneve", "erspan2", "mpls", "ipip", "pseudowire"}) {
    INFO(tunnel);
    const support::Trace trace =
        support::compiled("tunnel " + std::string(tunnel) + "\n" + kSetup + kRpcs, scenario::Fabric::roce2);
    const support::Trace out = sanitized(trace);
    CHECK(heard(out) == heard(trace));
    CHECK_FALSE(holds(out, std::string("\x0A\x00\x00\x01", 4)));
  }
}

// One frame, sanitized.
std::vector<uint8_t> one(const std::vector<uint8_t>& bytes) {
  support::Trace trace;
  trace.frames.push_back({{.number = 1}, bytes, static_cast<uint32_t>(bytes.size())});
  return sanitized(trace).frames[0].bytes;
}

bool zeros(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

TEST_CASE("of what is no RDMA the payload is gone") {
  using namespace link::test;
  const Octets query = ethernet(ipv4(17, udp(counting(40, 9), 53)));
  const Octets after = one(query);
  CHECK(std::equal(after.begin() + 34, after.begin() + 40, query.begin() + 34));  // ports and length
  CHECK(zeros(Bytes(after).subspan(42)));
  CHECK(zeros(Bytes(one(ethernet(counting(50, 1), 0x88CC))).subspan(14)));  // LLDP
  const Octets session = one(ethernet(ipv4(6, tcp(counting(40, 9)))));
  CHECK(zeros(Bytes(session).subspan(54)));
}

TEST_CASE("nothing stays of a datagram inside of another one that has no room for it") {
  using namespace link::test;
  for (const int more : {0, 1}) {
    Octets inner = ipv4(17, udp(counting(8, 9), 53));
    inner[3] = static_cast<uint8_t>(inner[3] + more);
    const Octets after = one(ethernet(ipv4(4, inner)));
    CHECK(zeros(Bytes(after).subspan(34)) == (more != 0));
  }
}

// Its ports may be the checksum of another protocol: RFC 768 has no such length, RFC 9293 §3.1 no such
// offset.
TEST_CASE("of a false header of UDP or TCP no port stays but a known one") {
  using namespace link::test;
  for (const uint16_t port : {53, 4791}) {
    Octets datagram = udp(counting(40, 9), port);
    datagram[4] = 0x10;  // above what there is
    const Octets after = one(ethernet(ipv4(17, datagram)));
    CHECK(zeros(Bytes(after).subspan(34)) == (port == 53));
    CHECK(zeros(Bytes(after).subspan(38)));
  }
  Octets segment = tcp(counting(40, 9));
  segment[12] = 0x10;  // a header of four bytes
  CHECK(zeros(Bytes(one(ethernet(ipv4(6, segment)))).subspan(34)));
}

TEST_CASE("of MAC control a pause stays, and how long it is, and of others a known opcode") {
  using namespace link::test;
  const auto kept = [](const Octets& opcode) {
    const Octets control = opcode + counting(44, 0x41);
    const Octets after = one(ethernet(control, link::ether_type::kMacControl));
    const Bytes shown = Bytes(after).subspan(link::EthernetHeader::size);
    const auto count = std::mismatch(control.begin(), control.end(), shown.begin()).first - control.begin();
    CHECK(zeros(shown.subspan(static_cast<size_t>(count))));
    return count;
  };
  CHECK(kept({0, 1}) == 4);
  CHECK(kept({1, 1, 0, 0xFF}) == 20);
  CHECK(kept({1, 1, 1, 0xFF}) == 2);  // that byte is reserved
  CHECK(kept({0, 2}) == 2);           // GATE, with a time
  CHECK(kept({0xFF, 0xFE}) == 2);     // some maker's
  CHECK(kept({1, 7}) == 0);           // no standard has these opcodes
  CHECK(kept({0x18, 0x1E}) == 0);
}

TEST_CASE("ARP keeps who asks whom, by other addresses") {
  using namespace link::test;
  const Octets arp = {0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, 1, 10, 9, 0, 1, 0, 0, 0, 0, 0, 0, 10, 9, 0, 2};
  const Octets after = one(ethernet(arp, 0x0806));
  AddressMap map(kKey);
  Octets source = {10, 9, 0, 1}, mac = {2, 0, 0, 0, 0, 1};
  map.ipv4(source);
  map.mac(mac);
  CHECK(std::equal(mac.begin(), mac.end(), after.begin() + 22));
  CHECK(std::equal(source.begin(), source.end(), after.begin() + 28));
  CHECK(after[38] == 10);
}

TEST_CASE("nothing stays of what is said to be ARP, or of a loopback interface, and is not") {
  using namespace link::test;
  CHECK(zeros(Bytes(one(ethernet(counting(46, 0x41), 0x0806))).subspan(14)));
  support::Trace loopback;
  loopback.link_type = 0;
  const Octets bytes = counting(60, 0x41);
  loopback.frames.push_back({{.number = 1}, bytes, static_cast<uint32_t>(bytes.size())});
  CHECK(zeros(sanitized(loopback).frames[0].bytes));
}

// With a right checksum in an IPv4 header of so many bytes.
link::test::Octets summed(link::test::Octets frame, size_t length) {
  constexpr size_t kBegin = 14, kChecksum = 24;  // in the frame
  const uint32_t right = 0xFFFF - link::ones_sum(Bytes(frame).subspan(kBegin, length));
  frame[kChecksum] = static_cast<uint8_t>(right >> 8);
  frame[kChecksum + 1] = static_cast<uint8_t>(right);
  return frame;
}

TEST_CASE("nothing stays behind an IPv4 header whose length and checksum do not fit") {
  using namespace link::test;
  constexpr size_t kLength = 14, kBehind = 34;  // in the frame
  Octets frame = summed(ethernet(ipv4(17, udp(counting(40, 0x41), 53))), 20);
  CHECK_FALSE(zeros(Bytes(one(frame)).subspan(kBehind)));
  frame[kLength] = 0x48;
  const Octets after = one(frame);
  CHECK(octets(Bytes(after).subspan(kBehind, 12)) == Octets(12, 1));
  CHECK(zeros(Bytes(after).subspan(kBehind + 12)));
}

TEST_CASE("options of IP and TCP that are not known to be harmless become padding") {
  using namespace link::test;
  const Octets route = {7, 7, 4, 10, 9, 0, 7, 0};  // record route
  const Octets after = one(summed(ethernet(ipv4(6, tcp({}, {2, 4, 5, 0xB4, 19, 4, 0x77, 0x78}), route)), 28));
  CHECK(Octets(after.begin() + 34, after.begin() + 42) == Octets(8, 1));
  CHECK(Octets(after.begin() + 62, after.begin() + 70) == Octets{2, 4, 5, 0xB4, 19, 4, 0, 0});
}

// RFC 8200 §4: each header names the next one and says how long it is itself, in 8 bytes beyond the first 8.
TEST_CASE("of a row of extension headers of IPv6 what each is stays, and its options become padding") {
  using namespace link::test;
  const Octets hop_by_hop = {60, 0, 5, 2, 0x77, 0x78, 1, 0};
  const Octets destination = Octets{17, 1, 30, 12} + counting(12, 0x41);
  const Octets after =
      one(ethernet(ipv6(0, hop_by_hop + destination + udp(counting(8, 9), 53)), link::ether_type::kIpv6));
  const auto at = [&](size_t from, size_t size) { return octets(Bytes(after).subspan(14 + from, size)); };
  CHECK(at(40, 8) == Octets{60, 0} + Octets(6, 0));
  CHECK(at(48, 16) == Octets{17, 1} + Octets(14, 0));
  CHECK(at(64, 6) == Octets{0xC3, 0x50, 0, 53, 0, 16});  // ports and length of UDP
  AddressMap map(kKey);
  Octets source(kSource6.begin(), kSource6.end()), receiver(kDestination6.begin(), kDestination6.end());
  map.ipv6(source);
  map.ipv6(receiver);
  CHECK(at(8, 32) == source + receiver);
}

TEST_CASE("of an authentication header only what follows it and its length stay") {
  using namespace link::test;
  const Octets header = Octets{17, 4, 0, 0} + counting(20, 0x41);
  const Octets datagram = header + udp(counting(8, 9), 53);
  const Octets junk = Octets{0x75, 0x6E} + counting(30, 0x41);  // longer than there is
  for (const Octets& content : {datagram, junk}) {
    const Octets v4 = one(ethernet(ipv4(51, content)));
    const Octets v6 = one(ethernet(ipv6(51, content), link::ether_type::kIpv6));
    for (const Bytes after : {Bytes(v4).subspan(34), Bytes(v6).subspan(54)}) {
      CHECK(octets(after.first(2)) == (content == junk ? Octets(2, 0) : octets(Bytes(content).first(2))));
      CHECK(zeros(after.subspan(2, 22)));
    }
  }
}

// RFC 792: an error's four bytes may be the router of a redirect whose type changed.
TEST_CASE("of an ICMP message numbers stay where its checksum is right") {
  using namespace link::test;
  for (const uint8_t type : {0, 3, 8, 11}) {
    Octets message = Octets{type, 0, 0, 0} + counting(4, 0x41) + counting(20, 1);
    const uint32_t sum = 0xFFFF - link::ones_sum(message);
    message[2] = static_cast<uint8_t>(sum >> 8);
    message[3] = static_cast<uint8_t>(sum);
    const auto numbers = [&] { return octets(Bytes(one(ethernet(ipv4(1, message)))).subspan(38, 4)); };
    CHECK(numbers() == counting(4, 0x41));
    message[20] ^= 1;
    CHECK(numbers() == Octets(4, 0));
  }
}

// RFC 4443 §1: it has a protocol of its own in IPv6.
TEST_CASE("of ICMP type and code stay where a message of this IP begins so") {
  using namespace link::test;
  const auto kept = [](uint8_t protocol, uint8_t type, uint8_t code) {
    const Octets message = Octets{type, code, 0, 0} + counting(20, 1);
    return octets(Bytes(one(ethernet(ipv4(protocol, message)))).subspan(34, 2)) == Octets{type, code};
  };
  CHECK(kept(1, 3, 4));
  CHECK_FALSE(kept(1, 21, 4));
  CHECK_FALSE(kept(1, 3, 77));
  CHECK_FALSE(kept(58, 3, 4));
}

TEST_CASE("a fragment counts as one that lost its content only where the capture has some of it") {
  using namespace link::test;
  const Octets whole = ethernet(ipv4(17, counting(64, 9), {}, 0x2000));
  const auto lost = [&](size_t captured) {
    const Plan plan(kKey, 0);
    Rewriter rewriter(kKey, {}, plan);
    std::vector<uint8_t> into;
    rewriter.rewrite(frame(Octets(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(captured)), 1,
                           static_cast<uint32_t>(whole.size())),
                     into);
    return rewriter.fragments();
  };
  CHECK(lost(whole.size()) == 1);
  CHECK(lost(35) == 1);
  CHECK(lost(34) == 0);  // Ethernet and IP
}

TEST_CASE("where there is no room for a plan, it says so") {
  const support::Trace trace = support::compiled(std::string(kSetup) + kRpcs, scenario::Fabric::roce2);
  Plan plan(kKey, 256);
  Survey survey(kKey, {}, plan);
  support::feed_to_end(survey, trace);
  CHECK(plan.full());
}

}  // namespace
}  // namespace steertag::sanitize
