// What becomes of a connection when a CM message passes between its hosts that the snaplen has cut before
// its QP number: it may have been about these QPs, or about others.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/compiled.h"

namespace steertag::support::cutting {
namespace {

using scenario::Fabric;

constexpr size_t kBehindBth = 14 + 20 + 8 + 12 + 8 + 24;  // Ethernet to DETH, and the head of a MAD

struct Log final : Observer {
  size_t closed = 0, anomalies = 0;
  void on(const Event& event) override {
    closed += std::holds_alternative<ConnectionClosed>(event) ? 1 : 0;
    const auto* seen = std::get_if<IncidentSeen>(&event);
    anomalies += seen != nullptr && seen->incident.anomaly() != nullptr ? 1 : 0;
  }
};

size_t connections(const Trace& trace) {
  Log log;
  feed_all(log, trace);
  return log.closed;
}

// The first frame, a REQ, cut.
TraceFrame cut_request() {
  TraceFrame frame = compiled("client> connect\n", Fabric::roce2).frames.front();
  frame.bytes.resize(kBehindBth);
  return frame;
}

Trace joined(const Trace& before, const TraceFrame& between, const Trace& after) {
  Trace all = before;
  const int64_t base = before.frames.back().at.time_ns + 1'000'000;
  all.frames.push_back(between);
  all.frames.back().at.time_ns = base;
  for (TraceFrame frame : after.frames) {
    frame.at.time_ns += base + 1'000'000 - after.frames.front().at.time_ns;
    all.frames.push_back(frame);
  }
  for (size_t i = 0; i < all.frames.size(); ++i) {
    all.frames[i].at.number = i + 1;
  }
  return all;
}

const char kCall[] = "client> call nfs3 GETATTR\nserver> reply\n";

}  // namespace

TEST_CASE("cut setups: a connection that goes on is the same one") {
  const Trace whole = compiled(std::string(kCall) + kCall + kCall, Fabric::roce2);
  const size_t half = whole.frames.size() / 3;
  Trace before = whole, after = whole;
  before.frames.resize(half);
  after.frames.erase(after.frames.begin(), after.frames.begin() + static_cast<ptrdiff_t>(half));
  CHECK(connections(joined(before, cut_request(), after)) == 1);
}

TEST_CASE("cut setups: QPs that begin again, however little they had sent, belong to another connection") {
  const Trace whole = compiled(kCall, Fabric::roce2);
  CHECK(connections(joined(whole, cut_request(), whole)) == 2);
}

TEST_CASE("cut setups: one from before the connection says nothing of it") {
  const Trace whole = compiled(kCall, Fabric::roce2);
  Trace all = joined(whole, whole.frames.front(), whole);  // all of it a second time, from the first PSN on
  TraceFrame early = cut_request();
  early.at.time_ns = all.frames.front().at.time_ns - 1'000'000;
  early.at.number = 0;
  all.frames.insert(all.frames.begin(), early);
  CHECK(connections(all) == 1);
}

// The same QPs, PSNs and Communication ID. The shorter snaplens leave of a DREQ what tells its connection,
// and of the REQ after it nothing, then the Communication ID, then the PSN.
TEST_CASE("cut setups: what follows a disconnect is not compared with what was before it") {
  const Trace whole = compiled(
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\nclient> disconnect\nwait 20ms\n"
      "client> connect comm=7\nclient> call nfs3 READ write(@data 4096)\nserver> serve\nclient> disconnect\n"
      "client> connect comm=7\nclient> call nfs3 LOOKUP\nserver> reply\n",
      Fabric::roce2);
  for (size_t snaplen = kBehindBth + 12; snaplen < kBehindBth + 150; snaplen += 2) {
    Trace cut = whole;
    for (TraceFrame& frame : cut.frames) {
      frame.bytes.resize(std::min(frame.bytes.size(), snaplen));
    }
    Log log;
    feed_all(log, cut);
    CHECK(log.anomalies == 0);
    CHECK(log.closed == 3);
  }
}

}  // namespace steertag::support::cutting
