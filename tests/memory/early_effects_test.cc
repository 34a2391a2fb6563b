// Taps whose clocks differ, and no acknowledgement to set the order right: what a
// Call brought about is shown before the Call. That is not held against anyone.
#include "memory/early_effects.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rules/audit.h"
#include "support/compiled.h"

namespace steertag::support {
namespace {

using scenario::Fabric;

class Accused final : public Observer, public rules::Listener {
 public:
  std::vector<std::string> sure;  // errors that are more than possible
  size_t incomplete = 0;
  uint32_t doubts = 0;

  void on(const Event& event) override {
    if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      incomplete += done->exchange.complete ? 0 : 1;
    } else if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
      doubts += closed->connection.doubts;
    }
  }
  void on_finding(const rules::Finding& finding) override {
    if (finding.severity == rules::Severity::error && finding.certainty != rules::Certainty::possible) {
      sure.push_back(std::string(finding.rule->id) + ": " + finding.text);
    }
  }
  void run(const Trace& trace) {
    rules::Audit audit(*this, *this);
    feed_to_end(audit, trace);
  }
};

bool from_server(const TraceFrame& frame) {
  return frame.bytes[29] == 2;
}

bool is_acknowledgement(const TraceFrame& frame) {
  return frame.bytes.size() > 42 && frame.bytes[42] == 0x11;
}

// The server's frames of the last RPC as a tap shows them whose clock is `late_ns` behind, without its ACKs.
Trace shown_early(Trace trace, size_t first, int64_t early_ns) {
  for (size_t i = first; i < trace.frames.size(); ++i) {
    trace.frames[i].at.time_ns -= from_server(trace.frames[i]) ? early_ns : 0;
  }
  std::erase_if(trace.frames, [&](const TraceFrame& frame) {
    return frame.at.number > first && from_server(frame) && is_acknowledgement(frame);
  });
  std::stable_sort(trace.frames.begin(), trace.frames.end(),
                   [](const TraceFrame& x, const TraceFrame& y) { return x.at.time_ns < y.at.time_ns; });
  return trace;
}

const std::string kReads =
    "client> connect\n"
    "client> call nfs3 GETATTR\nserver> reply\n"
    "client> call nfs3 READ write(@d 512)\nserver> write @d\nserver> reply\n"
    "client> call nfs3 GETATTR\nserver> reply\n";

}  // namespace

TEST_CASE("early effects: a Write or a Reply that is shown shortly before its Call is no violation") {
  const Trace whole = compiled(kReads, Fabric::roce2);
  const size_t first = 7;  // the Call of the READ; its ACK and the Write follow
  REQUIRE(!from_server(whole.frames[first]));
  REQUIRE(whole.frames[first + 2].bytes[42] == 0x0A);
  size_t crossed = 0;
  for (int64_t early_ns = 100'000; early_ns < 8'000'000; early_ns += 100'000) {
    Accused accused;
    accused.run(shown_early(whole, first, early_ns));
    INFO("shown " << early_ns / 1000 << " us early");
    crossed += accused.doubts;
    if (early_ns < 2'000'000) {
      CHECK(accused.sure == std::vector<std::string>{});
    }
    CHECK((accused.doubts == 0 || accused.incomplete != 0));
  }
  CHECK(crossed != 0);

  Accused in_order;
  in_order.run(whole);
  CHECK(in_order.doubts == 0);
  CHECK(in_order.incomplete == 0);
  CHECK(in_order.sure.empty());
}

// So many Calls in a row, each with the memory that its data is written to, and then what becomes of them.
std::string in_flight(size_t calls) {
  std::string asked, answered;
  for (size_t i = 0; i < calls; ++i) {
    const std::string xid = std::to_string(0x1000 + i), name = "@d" + std::to_string(i);
    asked += "client> call xid=" + xid + " nfs3 READ write(" + name + " 512)\n";
    answered += "server> write " + name + "\nserver> reply xid=" + xid + "\n";
  }
  return "credits 1000\nclient> connect\nclient> call nfs3 GETATTR\nserver> reply\n" + asked + answered +
         "client> call nfs3 GETATTR\nserver> reply\n";
}

TEST_CASE("bounds: early effects, however many there are") {
  for (const size_t calls : {memory::EarlyEffects::kMaxKept / 2 - 1, memory::EarlyEffects::kMaxKept / 2,
                             memory::EarlyEffects::kMaxKept / 2 + 1, 3 * memory::EarlyEffects::kMaxKept}) {
    Trace whole = compiled(in_flight(calls), Fabric::roce2);
    for (size_t i = 7; i < whole.frames.size(); ++i) {
      whole.frames[i].at.time_ns = whole.frames[6].at.time_ns + static_cast<int64_t>(i) * 1000;
    }
    size_t crossed = 0;
    for (const int64_t early_ns : {500'000, 1'000'000, 1'900'000}) {
      Accused accused;
      accused.run(shown_early(whole, 7, early_ns));
      INFO(calls << " Calls, shown " << early_ns / 1000 << " us early");
      CHECK(accused.sure == std::vector<std::string>{});
      crossed += accused.doubts;
    }
    CHECK(crossed != 0);
  }
}

}  // namespace steertag::support
