// One connection seen by two taps, and two that have the same addresses, ports and QPs, one after the other.
#include <catch2/catch.hpp>
#include <string>

#include "support/compiled.h"

namespace steertag::support::tapping {
namespace {

using scenario::Fabric;

const std::string kCalls =
    "client> call nfs3 GETATTR\nserver> reply\nclient> call nfs3 GETATTR\nserver> reply\n"
    "client> call nfs3 GETATTR\nserver> reply\n";

struct Log final : Observer {
  size_t connections = 0, rpcs = 0;
  explicit Log(const Trace& trace) { feed_all(*this, trace); }
  void on(const Event& event) override {
    if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
      connections += closed->connection.rpcrdma ? 1 : 0;
    }
    rpcs += std::holds_alternative<ExchangeDone>(event) ? 1 : 0;
  }
};

// `second` is of another file, and begins so much later.
Trace both(Trace first, const Trace& second, int64_t later_ns) {
  const int64_t shift = first.frames.back().at.time_ns + later_ns - second.frames.front().at.time_ns;
  for (TraceFrame frame : second.frames) {
    frame.at.time_ns += shift;
    frame.at.file = 1;
    frame.at.tap = Stamp::tap_of(1, 0);
    first.frames.push_back(frame);
  }
  return first;
}

}  // namespace

TEST_CASE("taps: bounds: clocks, and interfaces of one") {
  constexpr uint32_t kLast = Stamp::kTapsOfClock - 1;
  const auto stamp = [](uint32_t clock, uint32_t interface) {
    return Stamp{.tap = Stamp::tap_of(clock, interface)};
  };
  CHECK(stamp(0, 3).tap == 3);
  for (const uint32_t clock : {0U, 1U, kLast - 1, kLast}) {
    CHECK(stamp(clock, kLast).clock() == clock);
    CHECK_FALSE(stamp(clock, 0).same_tap(stamp(clock, 1)));
    CHECK_FALSE(stamp(clock, kLast - 1).same_tap(stamp(clock, kLast)));
    CHECK(stamp(clock, kLast).same_tap(stamp(clock, kLast + 1)));
  }
  CHECK(stamp(kLast + 1, 7).same_tap(stamp(kLast, 7)));
  CHECK(stamp(UINT32_MAX, UINT32_MAX).same_tap(stamp(kLast, kLast)));
}

TEST_CASE("taps: what each direction's own tap saw is one connection") {
  for (const std::string& text : {kCalls, "client> connect\n" + kCalls}) {
    Trace trace = compiled(text, Fabric::roce2);
    for (TraceFrame& frame : trace.frames) {
      frame.at.file = frame.bytes[29] == 2 ? 1 : 0;  // the last octet of the source
      frame.at.tap = Stamp::tap_of(frame.at.file, 0);
    }
    const Log log(trace);
    CHECK(log.connections == 1);
    CHECK(log.rpcs == 3);
  }
}

TEST_CASE("taps: independent captures of the same QPs are two connections") {
  const Trace trace = compiled("client> connect\n" + kCalls, Fabric::roce2);
  const Trace other = compiled("client> connect psn=0x400000/0x500000\n" + kCalls, Fabric::roce2);
  Trace bare = other;
  std::erase_if(bare.frames, [&](const TraceFrame& frame) { return frame.at.number <= 3; });  // REQ, REP, RTU
  const Log log(both(trace, bare, 100'000'000'000));
  CHECK(log.connections == 2);
  CHECK(log.rpcs == 6);
}

// Of either, the way from the client to the server alone: so few packets still wait for their counterpart
// when the other capture begins.
TEST_CASE("taps: independent captures of one direction of the same QPs are two connections") {
  const auto one_way = [](const std::string& psn) {
    Trace trace = compiled("client> connect psn=" + psn + "\n" + kCalls, Fabric::roce2);
    std::erase_if(trace.frames, [](const TraceFrame& frame) {
      return frame.at.number <= 3 || frame.bytes[29] == 2;  // REQ, REP, RTU, and what the server sent
    });
    return trace;
  };
  const auto connections = [&](const std::string& psn) {
    return Log(both(one_way("0x100/0x200"), one_way(psn), 100'000'000'000)).connections;
  };
  CHECK(Log(one_way("0x100/0x200")).connections == 1);
  CHECK(connections("0x400000/0x500000") == 2);
  CHECK(connections("0x103/0x203") == 1);  // goes on where the first stopped, behind three Calls
}

}  // namespace steertag::support::tapping
