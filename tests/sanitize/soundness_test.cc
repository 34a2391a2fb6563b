// Packets that were damaged behind their sender.
#include "sanitize/soundness.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "rdma/roce/bth.h"
#include "sanitize/made.h"
#include "support/mended.h"
#include "support/scenario_trace.h"

namespace steertag::sanitize {
namespace {

// As many of them as that.
size_t damaged(const support::Trace& trace) {
  Soundness soundness;
  link::Decoder decoder;
  size_t count = 0;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    count += soundness.damaged(decoder.decode(support::frame_of(trace, i))) ? 1 : 0;
  }
  return count;
}

// Ends with a Reply.
support::Trace two_rpcs(scenario::Fabric fabric) {
  support::Trace trace = support::compiled(
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\nclient> call nfs3 GETATTR\nserver> reply\n",
      fabric);
  constexpr size_t kAcknowledgment = 80;  // bytes of a frame, at most
  while (trace.frames.back().bytes.size() <= kAcknowledgment) {
    trace.frames.pop_back();
  }
  return trace;
}

TEST_CASE("a wrong checksum is damage where right ones of its sender came before") {
  for (const scenario::Fabric fabric : support::kFabrics) {
    support::Trace trace = two_rpcs(fabric);
    CHECK(damaged(trace) == 0);
    std::vector<uint8_t>& last = trace.frames.back().bytes;
    const std::vector<uint8_t> right = last;
    last[last.size() - 20] ^= 1;
    CHECK(damaged(trace) == 1);
    support::mend(trace, trace.frames.size() - 1);
    CHECK(damaged(trace) == 0);
    support::Trace alone = trace;
    last = right;
    last[last.size() - 20] ^= 1;
    alone.frames = {trace.frames.back()};
    CHECK(damaged(alone) == 0);
    trace.frames.back().original_length += 1;  // it is not all there
    last.pop_back();
    CHECK(damaged(trace) <= 1);
  }
}

// What the Rewriter counts of them.
uint64_t hidden(const support::Trace& trace) {
  const Plan plan(kKey, 1 << 20);
  Rewriter rewriter(kKey, {}, plan);
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    rewriter.rewrite(support::frame_of(trace, i), bytes);
  }
  return rewriter.damaged();
}

// All that this host sends has a wrong ICRC, or checksum of TCP.
void spoil(support::Trace& trace, const base::Address& from) {
  link::Decoder decoder;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    const link::Packet packet = decoder.decode(support::frame_of(trace, i));
    if (packet.source == from) {
      constexpr size_t kTcpChecksum = 50;
      std::vector<uint8_t>& bytes = trace.frames[i].bytes;
      bytes[packet.carrier == link::Carrier::tcp ? kTcpChecksum : bytes.size() - 1] ^= 1;
    }
  }
}

TEST_CASE("a host is judged by its own checksums, each kind of them by itself") {
  for (const scenario::Fabric fabric : support::kFabrics) {
    support::Trace trace = two_rpcs(fabric);
    link::Decoder decoder;
    spoil(trace, decoder.decode(support::frame_of(trace, trace.frames.size() - 1)).source);
    CHECK(damaged(trace) == 0);
    CHECK(hidden(trace) == 0);
  }
  support::Trace both = two_rpcs(scenario::Fabric::roce2), segments = two_rpcs(scenario::Fabric::iwarp);
  link::Decoder decoder;
  const link::Packet segment = decoder.decode(support::frame_of(segments, 0));
  spoil(segments, segment.source);
  spoil(segments, segment.destination);
  CHECK(decoder.decode(support::frame_of(both, 0)).source == segment.source);
  both.frames.insert(both.frames.end(), segments.frames.begin(), segments.frames.end());
  CHECK(damaged(both) == 0);
  CHECK(hidden(both) == 0);
}

TEST_CASE("a checksum of TCP that its adapter was to make is no damage") {
  support::Trace trace = two_rpcs(scenario::Fabric::iwarp);
  std::vector<uint8_t>& last = trace.frames.back().bytes;
  constexpr size_t kIp = 14, kTcp = 34, kChecksum = kTcp + 16;
  link::IpHeader ip;
  const Bytes datagram = Bytes(last).subspan(kIp);
  REQUIRE(read_ip({datagram, datagram.size()}, ip) == link::Progress::ok);
  const uint32_t pseudo = link::pseudo_sum(ip, datagram), length = static_cast<uint32_t>(ip.payload.length);
  REQUIRE(pseudo > length);
  for (const uint32_t sum : {pseudo, pseudo - length, pseudo - length - 1}) {
    last[kChecksum] = static_cast<uint8_t>(sum >> 8);
    last[kChecksum + 1] = static_cast<uint8_t>(sum);
    CHECK(damaged(trace) == (sum == pseudo - length - 1 ? 1 : 0));
  }
  last[kChecksum] = last[kChecksum + 1] = 0;
  CHECK(damaged(trace) == 0);
}

TEST_CASE("what a sender leaves of checksums of TCP to its adapter is all, some or nothing") {
  support::Trace trace = two_rpcs(scenario::Fabric::iwarp);
  link::Decoder decoder;
  Soundness soundness;
  const link::Packet last = decoder.decode(support::frame_of(trace, trace.frames.size() - 1));
  using Left = Internet::Left;
  const auto left = [&] { return soundness.left(last.source, last.destination); };
  CHECK(left() == Left::all);
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    soundness.damaged(decoder.decode(support::frame_of(trace, i)));
  }
  CHECK(left() == Left::nothing);
  link::IpHeader ip;
  REQUIRE(read_ip({last.network, last.network.size()}, ip) == link::Progress::ok);
  const uint32_t pseudo = link::pseudo_sum(ip, last.network);
  std::vector<uint8_t>& bytes = trace.frames.back().bytes;
  bytes[50] = static_cast<uint8_t>(pseudo >> 8);
  bytes[51] = static_cast<uint8_t>(pseudo);
  CHECK_FALSE(soundness.damaged(decoder.decode(support::frame_of(trace, trace.frames.size() - 1))));
  CHECK(left() == Left::some);
}

// A window with which the checksum of that segment of TCP is the sum of its pseudo-header, and right.
uint16_t window_for(const std::vector<uint8_t>& frame) {
  constexpr size_t kIp = 14, kTcp = 34;
  link::IpHeader ip;
  const Bytes datagram = Bytes(frame).subspan(kIp);
  REQUIRE(read_ip({datagram, datagram.size()}, ip) == link::Progress::ok);
  const uint32_t pseudo = link::pseudo_sum(ip, datagram);
  std::vector<uint8_t> segment(frame.begin() + kTcp, frame.end());
  segment[14] = segment[15] = 0;
  segment[16] = static_cast<uint8_t>(pseudo >> 8);
  segment[17] = static_cast<uint8_t>(pseudo);
  return static_cast<uint16_t>(0xFFFF - link::ones_sum(segment, pseudo));
}

TEST_CASE(
    "a checksum of TCP that is right is right again, though by chance it is that of its pseudo-header") {
  constexpr size_t kWindow = 48, kChecksum = 50;
  support::Trace trace = two_rpcs(scenario::Fabric::iwarp);
  std::vector<uint8_t>& syn = trace.frames.front().bytes;  // the first of its host
  const uint16_t window = window_for(syn);
  syn[kWindow] = static_cast<uint8_t>(window >> 8);
  syn[kWindow + 1] = static_cast<uint8_t>(window);
  link::IpHeader ip;
  const auto sums = [&](const support::Trace& of) {
    const Bytes datagram = Bytes(of.frames.front().bytes).subspan(14);
    REQUIRE(read_ip({datagram, datagram.size()}, ip) == link::Progress::ok);
    const uint32_t pseudo = link::pseudo_sum(ip, datagram);
    return std::pair(pseudo, link::ones_sum(ip.payload.captured, pseudo));
  };
  const uint32_t pseudo = sums(trace).first;
  syn[kChecksum] = static_cast<uint8_t>(pseudo >> 8);
  syn[kChecksum + 1] = static_cast<uint8_t>(pseudo);
  REQUIRE(sums(trace).second == 0xFFFF);
  CHECK(sums(sanitized(trace)).second == 0xFFFF);
}

TEST_CASE("of a UDP header with an impossible length the port of RoCE alone is shown") {
  support::Trace trace = two_rpcs(scenario::Fabric::roce2);
  std::vector<uint8_t>& bytes = trace.frames.back().bytes;
  constexpr size_t kUdp = 34, kPort = kUdp + 2, kLength = kUdp + 4;
  bytes[kLength] = 0xD0;
  const std::vector<uint8_t> shown = sanitized(trace).frames.back().bytes;
  CHECK(shown[kUdp] == 0);
  CHECK(shown[kUdp + 1] == 0);
  CHECK(std::equal(shown.begin() + kPort, shown.begin() + kLength, bytes.begin() + kPort));
  CHECK(shown[kLength] == 0);
  CHECK(shown[kLength + 1] == 0);
}

// The port is nobody's alone: answers of DNS may go there.
TEST_CASE("of a datagram to the port of RoCE that is none nothing is shown") {
  support::Trace trace = two_rpcs(scenario::Fabric::roce2);
  support::TraceFrame& last = trace.frames.back();
  constexpr size_t kBth = 42, kPartition = 2, kReserved = 4;  // bytes
  last.bytes.back() ^= 1;                                     // and no ICRC of its sender is right
  trace.frames = {last};
  std::vector<uint8_t>& bytes = trace.frames[0].bytes;
  const auto hidden = [&] {
    const std::vector<uint8_t> shown = sanitized(trace).frames[0].bytes;
    return std::all_of(shown.begin() + kBth, shown.end(), [](uint8_t byte) { return byte == 0; });
  };
  CHECK_FALSE(hidden());
  for (const size_t at : {size_t{0}, size_t{1}, kPartition, kReserved, size_t{8}}) {
    INFO(at);
    const uint8_t was = std::exchange(bytes[kBth + at], uint8_t{'e'});
    CHECK(hidden());
    bytes[kBth + at] = was;
  }
  bytes[kBth + kPartition] = 'e';
  support::mend(trace, 0);  // it is of RoCE after all
  CHECK_FALSE(hidden());
}

TEST_CASE("a partition of its own, without any right ICRC, is no reason to hide a connection") {
  support::Trace trace = two_rpcs(scenario::Fabric::roce2);
  constexpr size_t kBth = 42, kPartition = kBth + 2;  // bytes
  for (support::TraceFrame& frame : trace.frames) {
    frame.bytes.back() ^= 1;
    frame.bytes[kPartition] = frame.bytes[kBth] == 0x64 ? frame.bytes[kPartition] : 0x85;
  }
  CHECK(heard(trace).find("4 messages, 2 RPCs") == 0);
  CHECK(heard(sanitized(trace)) == heard(trace));
}

TEST_CASE("bounds: queue pairs that are remembered") {
  QueuePairs pairs;
  track::Connection connection;
  connection.transport = rdma::Transport::roce2;
  for (uint32_t i = 0; i < QueuePairs::kMost; ++i) {
    connection.end(rdma::Side::a).qpn = 2 * i;
    connection.end(rdma::Side::b).qpn = 2 * i + 1;
    pairs.add(connection);
  }
  CHECK(pairs.size() == QueuePairs::kMost);
}

TEST_CASE("a damaged header of IP hides what is behind it, and a damaged segment of TCP is none") {
  support::Trace trace = two_rpcs(scenario::Fabric::iwarp);
  const size_t last = trace.frames.size() - 1;
  constexpr size_t kIp = 14, kProtocol = kIp + 9, kTcp = kIp + 20;
  const auto zeros = [](Bytes bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
  };
  support::Trace header = trace, content = trace;
  header.frames[last].bytes[kIp + 3] ^= 1;  // of its length
  CHECK(zeros(Bytes(sanitized(header).frames[last].bytes).subspan(kTcp)));
  content.frames[last].bytes.back() ^= 1;
  const std::vector<uint8_t> shown = sanitized(content).frames[last].bytes;
  CHECK(shown[kProtocol] == 253);
  CHECK(zeros(Bytes(shown).subspan(kTcp)));
  support::Trace without = trace;
  without.frames.pop_back();
  CHECK(heard(sanitized(content)) == heard(without));
}

TEST_CASE("what is of no partition is no packet, and of a damaged one the BTH stays") {
  support::Trace trace = two_rpcs(scenario::Fabric::roce2);
  const size_t last = trace.frames.size() - 1;
  constexpr size_t kBth = 42, kPartition = kBth + 2, kBehind = kBth + 12, kIcrc = 4;
  const auto zeros = [](Bytes bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
  };
  support::Trace none = trace, damage = trace;
  none.frames[last].bytes[kPartition] = 0x80;
  none.frames[last].bytes[kPartition + 1] = 0;
  support::mend(none, last);
  CHECK(zeros(Bytes(sanitized(none).frames[last].bytes).subspan(kBth)));
  damage.frames[last].bytes[kBth] = 0x0A;  // a Write instead of a Send
  const std::vector<uint8_t> shown = sanitized(damage).frames[last].bytes;
  CHECK(shown[kBth] == 0x0A);
  CHECK(std::equal(shown.begin() + kPartition, shown.begin() + kBehind,
                   trace.frames[last].bytes.begin() + kPartition));
  CHECK(zeros(Bytes(shown).subspan(kBehind, shown.size() - kBehind - kIcrc)));
  CHECK_FALSE(zeros(Bytes(shown).last(kIcrc)));
}

TEST_CASE("of a damaged message of the CM nothing stays, since it may be one of another kind") {
  support::Trace trace = two_rpcs(scenario::Fabric::roce2);
  constexpr size_t kBth = 42, kBehind = kBth + 12, kMad = kBth + 20, kAttribute = kMad + 17, kIcrc = 4;
  constexpr uint8_t kReq = 0x10, kRtu = 0x14;
  size_t met = 0;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    std::vector<uint8_t>& bytes = trace.frames[i].bytes;
    if (bytes[kBth] == 0x64 && bytes[kAttribute] == kRtu) {
      ++met;
      std::fill(bytes.begin() + kMad + 32, bytes.end() - kIcrc, uint8_t{0x41});  // private data
      bytes[kAttribute] = kReq;
      const std::vector<uint8_t> shown = sanitized(trace).frames[i].bytes;
      CHECK(
          std::all_of(shown.begin() + kBehind, shown.end() - kIcrc, [](uint8_t byte) { return byte == 0; }));
    }
  }
  CHECK(met == 1);
}

// Both ways that carry data: a Write of the server's, and the Responses to its Read.
TEST_CASE("content is no header where a packet calls itself the first or a whole one amid a message") {
  using rdma::roce::Opcode;
  constexpr size_t kBth = 42, kBehind = kBth + rdma::roce::Bth::size, kHandle = 4, kReth = 16;
  for (const char* rpc :
       {"client> call nfs3 READ write(@d 4096 4096)\nserver> write @d 6000\nserver> reply\n",
        "client> call nfs3 WRITE read(@w 5000)\nserver> serve\n"}) {
    const support::Trace trace =
        support::compiled(std::string("client> connect\n") + rpc, scenario::Fabric::roce2);
    size_t tried = 0;
    for (size_t i = 0; i < trace.frames.size(); ++i) {
      const auto was = static_cast<Opcode>(trace.frames[i].bytes[kBth]);
      if (was != Opcode::write_middle && was != Opcode::read_response_middle) {
        continue;
      }
      for (const auto& [opcode, headers] :
           {std::pair(Opcode::write_first, kReth), std::pair(Opcode::send_only_invalidate, kHandle)}) {
        support::Trace wrong = trace;
        wrong.frames[i].bytes[kBth] = static_cast<uint8_t>(opcode);
        if (opcode == Opcode::write_first) {
          wrong.frames[i].bytes[kBehind + 12] = 0;  // a length that a message may have
        }
        support::mend(wrong, i);
        const support::Trace out = sanitized(wrong);
        const Bytes shown = slice(out.frames[i].bytes, kBehind, headers);
        CHECK(std::count(shown.begin(), shown.end(), 0) == static_cast<ptrdiff_t>(headers));
        CHECK(out.frames[i].bytes[kBth] == static_cast<uint8_t>(opcode));
        CHECK(heard(out).ends_with(" 0 wrong checksums"));
        ++tried;
      }
    }
    CHECK(tried > 2);
  }
}

// Then its ICRC, which is one of the addresses, too, stands where content would.
TEST_CASE("of a packet that says it is longer than its frame the last four bytes are gone") {
  support::Trace trace = support::compiled("client> connect\nclient> call nfs3 GETATTR\nserver> reply\n",
                                           scenario::Fabric::roce1);
  constexpr size_t kGrh = 14, kLength = kGrh + 4, kIcrc = 4;  // bytes
  const auto zeros = [](const std::vector<uint8_t>& frame) {
    return std::all_of(frame.end() - kIcrc, frame.end(), [](uint8_t byte) { return byte == 0; });
  };
  for (const uint8_t more : {0, 1}) {
    for (support::TraceFrame& frame : trace.frames) {
      frame.bytes[kLength] = static_cast<uint8_t>(frame.bytes[kLength] + more);
    }
    const support::Trace out = sanitized(trace);
    const auto cleared = std::count_if(out.frames.begin(), out.frames.end(),
                                       [&](const support::TraceFrame& frame) { return zeros(frame.bytes); });
    CHECK(cleared == (more == 0 ? 0 : static_cast<ptrdiff_t>(out.frames.size())));
  }
}

}  // namespace
}  // namespace steertag::sanitize
