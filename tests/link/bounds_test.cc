// The bounds of core/link: what is said one below, at and above, and that nothing else changes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "link/decoder.h"
#include "link/fragments.h"
#include "link/frames.h"
#include "link/plain.h"
#include "link/prediction.h"
#include "link/tcp_stream.h"
#include "link/tunnel.h"
#include "link/tunnel_headers.h"

using namespace steertag;
using namespace steertag::link;
using namespace steertag::link::test;

namespace {

// The fragment that begins `at` so many bytes, of a datagram of RoCEv2.
Octets fragment(const Octets& content, size_t at, size_t size, uint16_t id) {
  const size_t end = std::min(at + size, content.size());
  const Octets piece(content.begin() + static_cast<ptrdiff_t>(at),
                     content.begin() + static_cast<ptrdiff_t>(end));
  const auto more = static_cast<uint16_t>(end < content.size() ? 0x2000 : 0);
  return ethernet(ipv4(17, piece, {}, static_cast<uint16_t>(more | at / 8), id));
}

// Counts what a TcpStream says of one direction.
struct Ear : TcpStream::Sink {
  size_t pieces = 0, holes = 0;
  void on_bytes(unsigned, const StreamBytes&) override { ++pieces; }
  void on_hole(unsigned, const StreamHole&, const Stamp&) override { ++holes; }
  void on_fin(unsigned, const Stamp&) override {}
  void on_reset(unsigned, const Stamp&) override {}
};

struct Sender {
  Ear ear;
  TcpStream stream;
  uint64_t frame = 0;
  Octets zeros;

  Sender() {
    Packet packet;
    packet.tcp.syn = true;
    packet.tcp.sequence = UINT32_MAX;
    stream.push(0, packet, {.number = ++frame}, ear);
  }
  void send(uint32_t sequence, size_t length) {
    zeros.resize(std::max(zeros.size(), length));
    Packet packet;
    packet.tcp.sequence = sequence;
    packet.payload = Bytes(zeros).first(length);
    packet.payload_length = static_cast<uint32_t>(length);
    stream.push(0, packet, {.number = ++frame}, ear);
  }
};

}  // namespace

TEST_CASE("bounds: IP datagrams that wait for fragments") {
  const Octets whole = udp(counting(1000));
  for (const size_t count :
       {Reassembler::kMaxDatagrams - 1, Reassembler::kMaxDatagrams, Reassembler::kMaxDatagrams + 1}) {
    Decoder decoder;
    for (size_t i = 0; i < count; ++i) {
      decoder.decode(frame(fragment(whole, 0, 512, static_cast<uint16_t>(i))));
    }
    for (size_t i = count; i-- > 0;) {  // the first has given way, and is the last to go on
      decoder.decode(frame(fragment(whole, 512, 512, static_cast<uint16_t>(i))));
    }
    const uint64_t over = count > Reassembler::kMaxDatagrams ? 1 : 0;
    CHECK(decoder.counters().fragments == 2 * count);
    CHECK(decoder.counters().fragments_dropped == over);
    CHECK(decoder.counters().reassembled == count - over);
  }
}

TEST_CASE("bounds: bytes of the datagrams that wait") {
  constexpr size_t kEach = Reassembler::kMaxBytes / 16;
  for (const size_t more : {size_t{0}, size_t{8}}) {
    Decoder decoder;
    for (uint16_t id = 0; id < 16; ++id) {
      const size_t end = kEach - Reassembler::kMaxHeader + (id == 15 ? more : 0);
      const auto offset = static_cast<uint16_t>((end - 8) / 8);
      decoder.decode(frame(ethernet(ipv4(17, counting(8), {}, static_cast<uint16_t>(0x2000 | offset), id))));
    }
    CHECK(decoder.counters().fragments_dropped == more / 8);
  }
}

TEST_CASE("bounds: fragments of one datagram") {
  for (const size_t count :
       {Reassembler::kMaxFragments - 1, Reassembler::kMaxFragments, Reassembler::kMaxFragments + 1}) {
    const Octets whole = udp(counting(count * 8 - UdpHeader::size));
    Decoder decoder;
    for (size_t at = 0; at < whole.size(); at += 8) {
      decoder.decode(frame(fragment(whole, at, 8, 7)));
    }
    const bool over = count > Reassembler::kMaxFragments;
    CHECK(decoder.counters().reassembled == (over ? 0 : 1));
    CHECK(decoder.counters().fragments_dropped == (over ? count : 0));
    // The next datagram is none the worse for it.
    decoder.decode(frame(fragment(whole, 0, 1032, 8)));
    CHECK(decoder.decode(frame(fragment(whole, 1032, 1032, 8))).carrier == Carrier::roce2);
  }
}

TEST_CASE("bounds: nested tunnels") {
  Octets deep = ipv4(17, udp(counting(32)));
  for (uint32_t i = 0; i + 1 < Decoder::kMaxDepth; ++i) {
    deep = ipv4(4, deep);
  }
  for (const uint64_t left : {0, 0, 1}) {
    Decoder decoder;
    CHECK((decoder.decode(frame(ethernet(deep))).carrier == Carrier::none) == (left == 1));
    CHECK(decoder.counters().other == left);
    deep = ipv4(4, deep);
  }
}

TEST_CASE("bounds: labels of one stack") {
  for (const int count : {kMaxLabels - 1, kMaxLabels, kMaxLabels + 1}) {
    Octets stack;
    for (int i = 1; i <= count; ++i) {
      stack = stack + before(MplsLabel{0x45678000u | (i == count ? 0x100u : 0u) | 64}, {});
    }
    Decoder decoder;
    const Packet& packet =
        decoder.decode(frame(ethernet(stack + ipv4(17, udp(counting(32))), ether_type::kMpls)));
    CHECK((packet.carrier == Carrier::roce2) == (count <= kMaxLabels));
    CHECK(decoder.counters().other == (count <= kMaxLabels ? 0 : 1));
  }
}

TEST_CASE("bounds: flows whose headers are predicted") {
  auto decoder = std::make_unique<Decoder>();
  auto prediction = std::make_unique<Prediction>();
  std::vector<Octets> flows;
  for (size_t host = 0; host < 16 * Prediction::kFlows; ++host) {
    flows.push_back(ethernet(ipv4(17, udp(counting(64)))));
    flows.back()[14 + 14] = static_cast<uint8_t>(host / 256);
    flows.back()[14 + 15] = static_cast<uint8_t>(host);
    Packet packet;
    REQUIRE(read_plain(frame(flows.back()), {4791}, packet));
    prediction->learn(frame(flows.back()), packet);
    CHECK(prediction->read(frame(flows.back()), packet));
  }
  size_t known = 0;
  for (const Octets& bytes : flows) {
    Packet predicted;
    known += prediction->read(frame(bytes), predicted) ? 1 : 0;
    // Known or not, it is the same packet.
    const Packet& packet = decoder->decode(frame(bytes));
    CHECK(packet.carrier == Carrier::roce2);
    CHECK(packet.source.octets[14] == bytes[14 + 14]);
    CHECK(packet.source.octets[15] == bytes[14 + 15]);
  }
  CHECK(known == Prediction::kFlows);
}

TEST_CASE("bounds: TCP segments that wait behind a hole") {
  Sender sender;
  for (uint32_t i = 0; i < kMaxHeldSegments; ++i) {
    sender.send(10 + 2 * i, 1);
  }
  CHECK(sender.ear.pieces + sender.ear.holes == 0);
  sender.send(10 + 2 * kMaxHeldSegments, 1);
  // The first hole is given up; what stands behind the second goes on waiting.
  CHECK(sender.ear.holes == 1);
  CHECK(sender.ear.pieces == 1);
}

TEST_CASE("bounds: buffers that a TCP stream keeps for the next that wait") {
  // Bytes that are held once a hole is filled, where the last of what waited had so many.
  const auto kept = [](size_t last) {
    Sender sender;
    const auto at = static_cast<uint32_t>(kMaxSpareBytes / 3000 * 3000);
    for (uint32_t before = 3000; before < at; before += 3000) {
      sender.send(before, 3000);
    }
    sender.send(at, last);
    sender.send(0, 3000);
    CHECK(sender.ear.pieces == at / 3000 + 1);
    CHECK(sender.ear.holes == 0);
    CHECK_FALSE(sender.stream.anything_held());
    return sender.stream.held_bytes();
  };
  constexpr size_t kLast = kMaxSpareBytes % 3000;
  const size_t full = kept(kLast);
  CHECK(kept(kLast - 1) == full - 1);
  CHECK(kept(kLast + 1) == full - kLast);
}
