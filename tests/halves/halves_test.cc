// The two halves of an Analyzer apart: packets that an Intake took wait in a batch before
// a Follower has them, and several Followers have a share of the connections each. What
// is reported stays the same.
#include <algorithm>
#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer.h"
#include "follower.h"
#include "intake.h"
#include "link/frames.h"
#include "support/compiled.h"
#include "support/recorder.h"

namespace steertag::support {
namespace {

using scenario::Fabric;

const std::string kCalls =
    "client> connect\nclient> call nfs3 READ write(@d 8192)\nserver> write @d\nserver> reply\n"
    "client> call nfs3 WRITE read(@w 9000)\nserver> read @w\nserver> reply\n";

// With the digests of segments, as by a thread of its own.
Intake make_intake() {
  return Intake({.ports = {},
                 .verify_icrc = false,
                 .copy_window_ns = Options().copy_window_ns,
                 .digested_ports = Options().rpcrdma_ports});
}
flow::Settings flow_settings() {
  const Options usual;
  return {usual.rpcrdma_ports, usual.payload_limit, usual.linger_ns,
          usual.settle_ns,     usual.for_rules,     usual.for_reports};
}
Frame frame_of(const Trace& trace, const TraceFrame& frame) {
  return {frame.at, trace.link_type, frame.bytes, frame.original_length};
}

// Message by message, in order of capture: frame, XID, and on which fabric.
using Reported = std::vector<std::tuple<uint64_t, uint32_t, size_t>>;
Reported reported(const std::vector<const Recorder*>& recorders) {
  Reported all;
  for (const Recorder* recorder : recorders) {
    for (const SeenMessage& message : recorder->messages) {
      all.emplace_back(message.frame, message.xid, message.bytes.size());
    }
    for (const SeenExchange& exchange : recorder->exchanges) {
      all.emplace_back(exchange.reply.value_or(0), exchange.xid, exchange.segments.size());
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

// The same conversation between other hosts, its frames among those of the first.
Trace beside(const Trace& trace) {
  Trace both;
  both.link_type = trace.link_type;
  for (const TraceFrame& frame : trace.frames) {
    both.frames.push_back(frame);
    both.frames.push_back(frame);
    both.frames.back().bytes[14 + 14] ^= 0x40;  // of the source, and of the destination
    both.frames.back().bytes[14 + 18] ^= 0x40;
  }
  for (size_t i = 0; i < both.frames.size(); ++i) {
    both.frames[i].at.number = i + 1;
  }
  return both;
}

}  // namespace

TEST_CASE("halves: packets that waited are reported like those that did not") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Trace trace = compiled(kCalls, fabric);
    Recorder at_once, later;
    feed_all(at_once, trace);

    Intake intake = make_intake();
    std::vector<track::Arrival> batch;
    track::Arrival arrival;
    for (const TraceFrame& frame : trace.frames) {
      if (intake.take(frame_of(trace, frame), arrival)) {
        arrival.keep();
        batch.push_back(arrival);
      }
    }
    Follower follower(later, flow_settings(), {});
    for (const track::Arrival& waiting : batch) {
      follower.follow(waiting);
    }
    follower.finish();
    CHECK(!at_once.exchanges.empty());
    CHECK(reported({&later}) == reported({&at_once}));
    CHECK(intake.frames() == trace.frames.size());
  }
}

TEST_CASE("halves: time passes with frames of others, too") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Trace trace = compiled(kCalls, fabric);
    Recorder recorder;
    Follower follower(recorder, flow_settings(), {});
    Intake intake = make_intake();
    track::Arrival arrival;
    Stamp at;
    for (const TraceFrame& frame : trace.frames) {
      at = frame.at;
      if (intake.take(frame_of(trace, frame), arrival)) {
        follower.follow(arrival);
      }
    }
    const size_t before = recorder.exchanges.size();
    REQUIRE(before < 2);
    at.time_ns += 3600'000'000'000;
    ++at.number;
    follower.pass(at);
    CHECK(recorder.exchanges.size() == 2);
  }
}

TEST_CASE("halves: wrong ICRCs are counted, and so they are of several shares") {
  const Trace trace =
      compiled("client> connect\nclient> call nfs3 NULL bad_checksum\nserver> reply\n", Fabric::roce2);
  for (const bool verify : {true, false}) {
    Recorder recorder;
    Options options;
    options.verify_checksums = verify;
    Analyzer analyzer(recorder, options);
    for (const TraceFrame& frame : trace.frames) {
      analyzer.feed(frame_of(trace, frame));
    }
    analyzer.finish();
    CHECK(analyzer.counters().checksum_errors == (verify ? 2 : 0));  // of the Call, and of its acknowledgment
    Counters sum = analyzer.counters();
    sum.add_share(analyzer.counters());
    CHECK(sum.checksum_errors == 2 * analyzer.counters().checksum_errors);
    CHECK(sum.messages == 2 * analyzer.counters().messages);
    CHECK(sum.exchanges == 2 * analyzer.counters().exchanges);
    CHECK(sum.connections == 2);
  }
}

TEST_CASE("halves: frames that are fed together are reported like those that are fed one by one") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Trace trace = beside(compiled(kCalls + "client> disconnect\n", fabric));
    std::vector<Frame> frames;
    for (const TraceFrame& frame : trace.frames) {
      frames.push_back(frame_of(trace, frame));
    }
    Recorder one_by_one;
    feed_all(one_by_one, trace);
    for (const size_t together : {size_t{2}, size_t{32}, frames.size()}) {
      Recorder recorder;
      Analyzer analyzer(recorder);
      for (std::span<const Frame> left = frames; !left.empty();) {
        const size_t count = std::min(together, left.size());
        analyzer.feed(left.first(count));
        left = left.subspan(count);
      }
      analyzer.finish();
      CHECK(analyzer.counters().frames == frames.size());
      CHECK(reported({&recorder}) == reported({&one_by_one}));
    }
    CHECK(!one_by_one.exchanges.empty());
  }
}

TEST_CASE("halves: two Followers with a share each report what one does") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const Trace trace = beside(compiled(kCalls, fabric));
    Recorder whole, first, second;
    feed_all(whole, trace);

    Intake intake = make_intake();
    Follower one(first, flow_settings(), {}), other(second, flow_settings(), {});
    track::Arrival arrival;
    for (const TraceFrame& frame : trace.frames) {
      if (!intake.take(frame_of(trace, frame), arrival)) {
        one.pass(frame.at);
        other.pass(frame.at);
        continue;
      }
      const bool mine = (arrival.packet.source.octets[14] & 0x40) == 0;
      (mine ? one : other).follow(arrival);
      (mine ? other : one).pass(arrival);
    }
    one.finish();
    other.finish();
    CHECK(first.exchanges.size() == second.exchanges.size());
    CHECK(reported({&first, &second}) == reported({&whole}));
  }
}

TEST_CASE("halves: a reassembled datagram outlives the next frame once it is kept") {
  using namespace link::test;
  Intake intake = make_intake();
  std::vector<track::Arrival> waiting;
  for (uint8_t start = 0; start < 3; ++start) {
    Octets datagram = udp(counting(1000, start));
    for (size_t i = 0; i < 12; ++i) {
      datagram[8 + i] = 0;  // a BTH of version zero
    }
    for (size_t at = 0; at < datagram.size(); at += 400) {
      const size_t end = std::min(at + 400, datagram.size());
      const Octets piece(datagram.begin() + static_cast<long>(at), datagram.begin() + static_cast<long>(end));
      const auto more = static_cast<uint16_t>(end < datagram.size() ? 0x2000 : 0);
      const Octets bytes = ethernet(ipv4(17, piece, {}, static_cast<uint16_t>(more | at / 8)));
      track::Arrival arrival;
      const bool complete = intake.take({{.time_ns = start * 1'000'000'000}, 1, bytes, 0}, arrival);
      REQUIRE(complete == (more == 0));
      if (complete) {
        CHECK(arrival.assembled);
        arrival.keep();
        waiting.push_back(arrival);
      }
    }
  }
  REQUIRE(waiting.size() == 3);
  for (uint8_t start = 0; start < 3; ++start) {
    const link::Packet& packet = waiting[start].packet;
    const Octets expected = counting(1000, start);
    CHECK(packet.payload_length == 1000);
    CHECK(std::equal(packet.payload.begin() + 12, packet.payload.end(), expected.begin() + 12));
    CHECK(packet.network.data() + 28 == packet.payload.data());
  }
}

}  // namespace steertag::support
