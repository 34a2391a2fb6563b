// The setup of a connection where parts of it were not captured: no end gets an
// address it does not have, and what cannot be known of the beginning is not
// taken for known.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/compiled.h"

namespace steertag::support {
namespace {

using scenario::Fabric;

const std::string kTwoCalls =
    "client> connect\n"
    "client> call nfs3 GETATTR\nserver> reply\n"
    "client> call nfs3 GETATTR\nserver> reply\n"
    "client> call nfs3 GETATTR\nserver> reply\n"
    "client> disconnect\n";

// Every connection that closed, as it was then.
class Connections final : public Observer {
 public:
  std::vector<track::Connection> seen;
  void on(const Event& event) override {
    if (const auto* closed = std::get_if<ConnectionClosed>(&event); closed != nullptr) {
      if (closed->connection.rpcrdma) {
        seen.push_back(closed->connection);
      }
    }
  }
};

std::vector<track::Connection> connections(const Trace& trace) {
  Connections observer;
  feed_all(observer, trace);
  return observer.seen;
}

Trace without(Trace trace, std::vector<uint64_t> numbers) {
  std::erase_if(trace.frames, [&](const TraceFrame& frame) {
    return std::find(numbers.begin(), numbers.end(), frame.at.number) != numbers.end();
  });
  return trace;
}

bool seen_from_start(const Trace& trace) {
  const std::vector<track::Connection> all = connections(trace);
  REQUIRE(all.size() == 1);
  return all[0].seen_from_start;
}

}  // namespace

TEST_CASE("setup: frames cut at any length make one connection, between the QPs that there are") {
  const Trace whole = compiled(kTwoCalls, Fabric::roce2);
  size_t found = 0;
  for (size_t length = 54; length < 330; ++length) {
    Trace trace = whole;
    for (TraceFrame& frame : trace.frames) {
      frame.bytes.resize(std::min(frame.bytes.size(), length));
    }
    const std::vector<track::Connection> all = connections(trace);
    INFO("snaplen " << length);
    REQUIRE(all.size() <= 1);
    for (const track::Connection& c : all) {
      ++found;
      CHECK(c.ends[0].qpn == 0x11u);
      CHECK(c.ends[1].qpn == 0x12u);
    }
  }
  CHECK(found > 200);
}

TEST_CASE("setup: the beginning is known where the first PSN of both directions is") {
  const Trace trace = compiled(kTwoCalls, Fabric::roce2);  // 1: REQ, 2: REP, 3: RTU
  CHECK(seen_from_start(trace));
  CHECK(seen_from_start(without(trace, {3})));
  CHECK_FALSE(seen_from_start(without(trace, {1})));
  CHECK_FALSE(seen_from_start(without(trace, {2})));
  CHECK_FALSE(seen_from_start(without(trace, {2, 3, 4, 5})));
}

TEST_CASE("setup: the beginning is known where the first byte of both directions is") {
  // 1: SYN, 2: SYN and ACK, 3: ACK, 4: MPA Request, 5: ACK, 6: MPA Reply
  const Trace trace = compiled(kTwoCalls, Fabric::iwarp);
  CHECK(seen_from_start(trace));
  CHECK(seen_from_start(without(trace, {1})));        // the SYN is acknowledged
  CHECK(seen_from_start(without(trace, {1, 2, 3})));  // nothing precedes an MPA frame
  CHECK(seen_from_start(without(trace, {4, 6})));     // the SYNs show that these are missing
  CHECK_FALSE(seen_from_start(without(trace, {2, 6})));
  CHECK_FALSE(seen_from_start(without(trace, {1, 2, 4})));
}

TEST_CASE("setup: what was rejected says nothing of the connection that has its QPs later") {
  const std::vector<track::Connection> all =
      connections(compiled("client> connect rejected R=1\ncapture off\nclient> connect\ncapture on\n" +
                               kTwoCalls.substr(kTwoCalls.find('\n') + 1),
                           Fabric::roce2));
  REQUIRE(all.size() == 1);
  CHECK(all[0].pairing == track::Pairing::inferred);
  CHECK_FALSE(all[0].ends[0].setup_seen);
  CHECK_FALSE(all[0].ends[1].setup_seen);
}

TEST_CASE("setup: what was sent before the REQ does not belong to the connection, however shortly before") {
  const std::string before =
      "pace 10us\ncapture off\nclient> connect psn=0x700000/0x800000\ncapture on\n"
      "client> call nfs3 GETATTR\n";
  const std::vector<track::Connection> all = connections(compiled(before + kTwoCalls, Fabric::roce2));
  REQUIRE(all.size() == 1);
  CHECK(all[0].first_frame.number == 3);  // the REQ
  CHECK_FALSE(all[0].several_taps);
}

TEST_CASE("a connection whose frames are in two files has several taps") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    for (const uint32_t files : {1u, 2u}) {
      Trace trace = compiled(kTwoCalls, fabric);
      for (TraceFrame& frame : trace.frames) {
        frame.at.file = static_cast<uint32_t>(frame.at.number) % files;
        frame.at.tap = Stamp::tap_of(frame.at.file, 0);
      }
      const std::vector<track::Connection> all = connections(trace);
      REQUIRE(all.size() == 1);
      CHECK(all[0].several_taps == (files == 2));
    }
  }
}

}  // namespace steertag::support
