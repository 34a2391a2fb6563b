// Packets that the capture holds more than once: what is a copy, and what was sent
// again. Conversations are compiled, and some of their frames come twice.
#include "track/copy_filter.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "rdma/roce/icrc.h"
#include "support/anomalies.h"
#include "support/compiled.h"

namespace steertag::support {
namespace {

using scenario::Fabric;
using Frames = std::vector<TraceFrame>;

const std::string kWrites =
    "client> connect\nclient> call nfs3 READ write(@d 8192)\nserver> write @d\nserver> reply\n";
constexpr size_t kAt = 14;  // of the IP header
// So that it is known that the client numbers its packets.
constexpr const char* kFiveCalls =
    "client> call nfs3 NULL\nclient> call nfs3 NULL\nclient> call nfs3 NULL\n"
    "client> call nfs3 NULL\nclient> call nfs3 NULL\n";
constexpr size_t kAcknowledgment = 80;  // bytes of its frame, at most

// Each frame, and then, `after_ns` later, what `change` makes of it.
Trace doubled(Trace trace, int64_t after_ns, const std::function<void(TraceFrame&)>& change = {}) {
  const Frames whole = trace.frames;
  for (TraceFrame frame : whole) {
    frame.at.time_ns += after_ns;
    if (change) {
      change(frame);
    }
    trace.frames.push_back(frame);
  }
  std::stable_sort(trace.frames.begin(), trace.frames.end(),
                   [](const TraceFrame& x, const TraceFrame& y) { return x.at.time_ns < y.at.time_ns; });
  return trace;
}

struct Counts {
  uint32_t retransmissions, copies;
  friend bool operator==(const Counts&, const Counts&) = default;
};
Counts counts(const Trace& trace) {
  AnomalyLog log;
  log.feed(trace);
  CHECK(log.texts().empty());
  return {log.retransmissions, log.copies};
}

void set16(TraceFrame& frame, size_t at, uint16_t value) {
  frame.bytes[at] = static_cast<uint8_t>(value >> 8);
  frame.bytes[at + 1] = static_cast<uint8_t>(value);
}

// As senders make packets that do not number them; the ICRC then covers 0.
void without_id(TraceFrame& frame) {
  set16(frame, kAt + 4, 0);
  const size_t network = kAt, bth = kAt + 28;
  frame.bytes.resize(frame.bytes.size() - 4);
  REQUIRE(rdma::roce::append_icrc(link::Carrier::roce2, frame.bytes, network, bth));
}

}  // namespace

TEST_CASE("copies: a capture in which everything is twice holds nothing that was sent again") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::roce1, Fabric::iwarp}) {
    for (const int64_t after_ns : {int64_t{0}, int64_t{3'000}, int64_t{900'000}}) {
      INFO("fabric " << static_cast<int>(fabric) << ", after " << after_ns);
      const Trace once = compiled(kWrites, fabric);
      CHECK(counts(once) == Counts{0, 0});
      const Counts twice = counts(doubled(once, after_ns));
      CHECK(twice.retransmissions == 0);
      CHECK(twice.copies > 8);
    }
  }
}

TEST_CASE("copies: another TTL, VLAN or MAC address does not make it another packet") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Trace once = compiled(kWrites, fabric);
    const uint32_t least = counts(doubled(once, 2'000)).copies;  // some more are proven to be copies now
    const std::function<void(TraceFrame&)> changes[] = {[](TraceFrame& f) { --f.bytes[kAt + 8]; },
                                                        [](TraceFrame& f) { f.bytes[5] ^= 1; },
                                                        [](TraceFrame& f) {
                                                          const uint8_t tag[] = {0x81, 0, 0, 7};
                                                          f.bytes.insert(f.bytes.begin() + 12, tag, tag + 4);
                                                          f.original_length += 4;
                                                        },
                                                        [](TraceFrame& f) { f.bytes[kAt + 1] |= 3; }};  // CE
    for (const auto& change : changes) {
      const Counts changed = counts(doubled(once, 2'000, change));
      CHECK(changed.retransmissions == 0);
      CHECK(changed.copies >= least);
    }
  }
}

TEST_CASE("copies: no window is too wide") {
  constexpr int64_t kHourAndMore = (int64_t{1} << 32) * track::CopyFilter::kTick_ns;
  for (const int64_t window_ns : {kHourAndMore, kHourAndMore + 1, INT64_MAX}) {
    track::CopyFilter filter(window_ns);
    link::Packet segment;
    segment.payload_length = 8;
    CHECK_FALSE(filter.look(segment, Stamp{.number = 1}).copy);
    CHECK(filter.look(segment, Stamp{.number = 2, .time_ns = 600'000'000'000}).copy);
  }
}

TEST_CASE("copies: bare acknowledgments that are alike may be several, but a FIN comes once") {
  track::CopyFilter filter(1'000'000'000);
  link::Packet segment;
  segment.tcp.ack = true;
  CHECK_FALSE(filter.look(segment, Stamp{.number = 1}).copy);
  CHECK_FALSE(filter.look(segment, Stamp{.number = 2, .time_ns = 2'000}).copy);
  segment.tcp.fin = true;
  CHECK_FALSE(filter.look(segment, Stamp{.number = 3, .time_ns = 4'000}).copy);
  CHECK(filter.look(segment, Stamp{.number = 4, .time_ns = 6'000}).copy);
}

TEST_CASE("copies: packets that the capture cut are compared by what is left of them") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Counts twice = counts(doubled(compiled("snaplen 100\n" + kWrites, fabric), 2'000));
    CHECK(twice.retransmissions == 0);
    CHECK(twice.copies > 8);
  }
}

TEST_CASE("copies: what was sent again is no copy") {
  // The identification tells them apart, however soon it is sent again.
  const std::string again =
      "client> connect\nclient> call nfs3 READ write(@d 8192)\nserver> write @d resent(2)\n";
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    INFO("fabric " << static_cast<int>(fabric));
    const Trace once = compiled(again, fabric);
    const Counts bare = counts(once);
    CHECK(bare.retransmissions > 0);
    CHECK(bare.copies == 0);
    const Counts twice = counts(doubled(once, 3'000));
    CHECK(twice.retransmissions == bare.retransmissions);
    CHECK(twice.copies > 8);
  }
}

// As some adapters send it again: with the number that it had.
TEST_CASE("copies: what follows an RNR NAK of its own was sent again, whatever its number is") {
  Trace once = compiled("client> connect\n" + std::string(kFiveCalls) + "client> call nfs3 GETATTR nak=rnr\n",
                        Fabric::roce2);
  const auto large = [](const TraceFrame& frame) { return frame.bytes.size() > kAcknowledgment; };
  const auto again = std::find_if(once.frames.rbegin(), once.frames.rend(), large);
  const auto first = std::find_if(again + 1, once.frames.rend(), large);
  REQUIRE(first != once.frames.rend());
  again->bytes = first->bytes;
  CHECK(counts(once) == Counts{1, 0});
  CHECK(counts(doubled(once, 1)).retransmissions == 1);
}

// A mirror's copy may come behind the NAK of the first.
TEST_CASE(
    "copies: where all packets come twice, what comes twice behind a NAK of its own was not sent again") {
  const std::string before = std::string(kFiveCalls) + "server> reply\nserver> reply\nserver> reply\n" +
                             "server> reply\nserver> reply\n";
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Trace once = compiled("pace 5us\nclient> connect\n" + before +
                                    "client> call nfs3 READ write(@d 8192)\nserver> write @d resent(2)\n",
                                fabric);
    const Counts bare = counts(once);
    CHECK(bare.retransmissions > 0);
    for (const int64_t after_ns : {int64_t{3'000}, int64_t{12'000}, int64_t{40'000}, int64_t{70'000}}) {
      INFO("fabric " << static_cast<int>(fabric) << ", after " << after_ns);
      CHECK(counts(doubled(once, after_ns)).retransmissions == bare.retransmissions);
    }
  }
}

TEST_CASE("copies: where only RNR NAKs come twice, and have no numbers, each is another one") {
  const std::string refused =
      std::string(kFiveCalls) + "server> reply\n" + "client> call nfs3 GETATTR nak=rnr timer=12 times=30\n";
  for (const bool v6 : {false, true}) {
    INFO((v6 ? "IPv6" : "IPv4 without identification"));
    Trace once = compiled((v6 ? "ipv6\n" : "") + std::string("capture server\nclient> connect\n") + refused,
                          Fabric::roce2);
    if (!v6) {
      std::for_each(once.frames.begin(), once.frames.end(), without_id);
    }
    CHECK(counts(once).copies == 0);
    CHECK(counts(doubled(once, 3'000)).copies >= once.frames.size() / 2);
  }
}

TEST_CASE("copies: where nothing is known but RNR NAKs, the time between them shows which is another") {
  for (const uint8_t timer : {uint8_t{1}, uint8_t{12}}) {
    Trace once =
        compiled("ipv6\ncapture server\nclient> call nfs3 GETATTR nak=rnr timer=" + std::to_string(timer) +
                     " times=30\n",
                 Fabric::roce2);
    INFO("timer " << int{timer});
    REQUIRE(once.frames.size() >= 30);
    once.frames.resize(30);
    for (size_t i = 0; i < once.frames.size(); ++i) {
      once.frames[i].at.time_ns = once.frames[0].at.time_ns + static_cast<int64_t>(i) * 700'000;
    }
    CHECK(counts(once).copies == 0);
    CHECK(counts(doubled(once, timer == 1 ? 3'000 : 600'000)).copies == 30);
  }
}

TEST_CASE("copies: where packets have no numbers, a complaint shows what was retransmitted") {
  const std::string again =
      "client> connect\nclient> call nfs3 READ write(@d 8192)\nserver> write @d resent(2)\n";
  for (const bool v6 : {false, true}) {
    INFO((v6 ? "IPv6" : "IPv4 without identification"));
    Trace once = compiled((v6 ? "ipv6\n" : "") + again, Fabric::roce2);
    if (!v6) {
      std::for_each(once.frames.begin(), once.frames.end(), without_id);
    }
    const Counts bare = counts(once);
    CHECK(bare.retransmissions == counts(compiled(again, Fabric::roce2)).retransmissions);
    CHECK(bare.copies == 0);
    CHECK(counts(doubled(once, 3'000)).retransmissions == bare.retransmissions);
  }
  // Without a complaint, and so soon, nobody has sent it again; seen later, it is not believed to be a copy.
  Trace soon = compiled("ipv6\n" + kWrites, Fabric::roce2);
  CHECK(counts(doubled(soon, 1'000'000)).retransmissions == 0);
  CHECK(counts(doubled(soon, 5'000'000)).retransmissions > 0);
}

// RFC 2018: it says that what stands at its acknowledgment number is missing.
TEST_CASE("copies: where segments have no numbers, a selective acknowledgment shows what was retransmitted") {
  const std::vector<uint8_t> sack = {1, 1, 5, 10, 0, 0, 0, 108, 0, 0, 0, 116};
  for (const bool lacks : {false, true}) {
    track::CopyFilter filter(1'000'000'000);
    link::Packet segment, answer;
    segment.payload_length = 8;
    segment.tcp.sequence = answer.tcp.acknowledgment = 100;
    segment.tcp.source_port = answer.tcp.destination_port = 1000;
    segment.tcp.destination_port = answer.tcp.source_port = 2000;
    answer.tcp.ack = true;
    answer.tcp.options = lacks ? Bytes(sack) : Bytes();
    CHECK_FALSE(filter.look(segment, Stamp{.number = 1}).copy);
    CHECK_FALSE(filter.look(answer, Stamp{.number = 2, .time_ns = 20'000}).copy);
    CHECK(filter.look(segment, Stamp{.number = 3, .time_ns = 40'000}).copy != lacks);
  }
}

TEST_CASE("copies: Read Responses that were asked for again are none") {
  const std::string again =
      "client> connect\nclient> call nfs3 WRITE read(@d 65536)\nserver> read @d resent(3)\n";
  const Trace once = compiled("ipv6\n" + again, Fabric::roce2);
  const Counts bare = counts(once);
  CHECK(bare.retransmissions == counts(compiled(again, Fabric::roce2)).retransmissions);
  CHECK(bare.copies == 0);
  CHECK(counts(doubled(once, 3'000)).retransmissions == bare.retransmissions);
  static_assert(track::CopyFilter::kAsked == 64);
  // Of several Reads under way none asks for what another does.
  const Trace reads = compiled(
      "ipv6\nclient> connect\nclient> call nfs3 WRITE read(@d 8192 8192)\n"
      "server> burst\nserver> read @d.1\nserver> read @d.2\nend\n",
      Fabric::roce2);
  CHECK(counts(doubled(reads, 3'000)).retransmissions == 0);
}

TEST_CASE("copies: a damaged packet does not stand for the good one behind it") {
  Trace trace = compiled(kWrites, Fabric::roce2);
  const size_t at = 7;  // in the middle of the RDMA Write
  TraceFrame bad = trace.frames[at];
  bad.bytes[bad.bytes.size() - 20] ^= 0xFF;
  trace.frames.insert(trace.frames.begin() + at, bad);
  AnomalyLog log;
  log.feed(trace);
  CHECK(log.texts() == "icrc b");
  CHECK(log.copies == 0);
}

TEST_CASE("congestion: marks and notifications are counted with the connection") {
  struct Log final : Observer {
    std::vector<track::Connection> closed;
    std::vector<std::pair<track::Congestion, const track::Connection*>> reported;
    size_t pauses = 0;
    void on(const Event& event) override {
      if (const auto* end = std::get_if<ConnectionClosed>(&event)) {
        closed.push_back(end->connection);
      } else if (const auto* seen = std::get_if<CongestionSeen>(&event)) {
        reported.emplace_back(seen->congestion, &seen->connection);
      } else if (const auto* pause = std::get_if<PauseSeen>(&event)) {
        pauses += pause->pause.stops() ? 1 : 2;
      }
    }
  };
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    for (const bool setup : {true, false}) {
      INFO("fabric " << static_cast<int>(fabric) << ", setup " << setup);
      Trace trace = compiled(setup ? kWrites : kWrites.substr(kWrites.find('\n') + 1), fabric);
      const size_t marked = setup ? 7 : 2;
      trace.frames[marked].bytes[kAt + 1] |= 3;
      const link::Mac nic = {2, 0, 0, 0, 0, 9};
      TraceFrame pause{trace.frames[marked].at, std::vector<uint8_t>(60), 60};
      std::copy(nic.begin(), nic.end(), pause.bytes.begin() + 6);
      set16(pause, 12, 0x8808);
      set16(pause, 14, 0x0101);
      set16(pause, 16, 0x0008);
      set16(pause, 24, 0xFFFF);
      TraceFrame resume = pause;
      set16(resume, 24, 0);
      trace.frames.push_back(pause);
      trace.frames.push_back(resume);
      Log log;
      feed_all(log, doubled(trace, 2'000));
      REQUIRE(log.closed.size() == 1);
      const track::Connection& c = log.closed[0];
      CHECK(c.ends[0].ecn_ce + c.ends[1].ecn_ce == 1);
      REQUIRE(log.reported.size() == 1);
      CHECK(log.reported[0].first.kind == track::Congestion::Kind::marked);
      CHECK(log.reported[0].first.at.time_ns == trace.frames[marked].at.time_ns);
      CHECK(c.pauses == 2);  // a pause says it again and again: no copies among them
      CHECK(log.pauses == 2 * 1 + 2 * 2);
    }
  }
}

TEST_CASE("congestion: a CNP belongs to the connection of the QP that it names") {
  struct Log final : Observer {
    std::vector<track::Connection> closed;
    void on(const Event& event) override {
      if (const auto* end = std::get_if<ConnectionClosed>(&event)) {
        closed.push_back(end->connection);
      }
    }
  };
  for (const bool setup : {true, false}) {
    Trace trace = compiled(setup ? kWrites : kWrites.substr(kWrites.find('\n') + 1), Fabric::roce2);
    TraceFrame cnp = trace.frames[setup ? 7 : 2];
    cnp.bytes[kAt + 28] = 0x81;
    cnp.bytes[kAt + 28 + 11] = 0;  // its PSN says nothing
    trace.frames.insert(trace.frames.begin() + (setup ? 8 : 3), cnp);
    TraceFrame stray = cnp;  // of a QP that nothing is known of
    stray.bytes[kAt + 28 + 5] = 0x77;
    trace.frames.push_back(stray);
    Log log;
    feed_all(log, trace);
    REQUIRE(log.closed.size() == 1);
    CHECK(log.closed[0].ends[0].cnps + log.closed[0].ends[1].cnps == 1);
    CHECK(log.closed[0].ends[1].cnps == 1);  // the server sent it
    CHECK(log.closed[0].ends[0].retransmissions + log.closed[0].ends[1].retransmissions == 0);
  }
}

}  // namespace steertag::support
