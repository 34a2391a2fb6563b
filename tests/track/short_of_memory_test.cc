// What gives way first where memory is short, and what is worth more stays.
#include <catch2/catch.hpp>
#include <string>

#include "support/compiled.h"

namespace steertag::support {
namespace {

using scenario::Fabric;

struct Survivors final : Observer {
  size_t connections = 0, notices = 0;  // notices: that something was given up
  bool answered = false;                // the Call with XID 0x99

  Survivors(const Trace& trace, size_t memory) {
    Options options;
    options.memory = memory;
    options.for_rules = true;
    options.linger_ns = 100'000'000'000;
    feed_all(*this, trace, options);
  }
  void on(const Event& event) override {
    if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      const flow::Exchange& x = done->exchange;
      answered |= x.xid == 0x99 && x.call && x.reply;
    } else if (const auto* seen = std::get_if<IncidentSeen>(&event)) {
      const rdma::Anomaly* anomaly = seen->incident.anomaly();
      notices += anomaly != nullptr && anomaly->kind == rdma::Anomaly::Kind::given_up ? 1 : 0;
    } else if (std::holds_alternative<ConnectionClosed>(event)) {
      ++connections;
    }
  }
};

}  // namespace

TEST_CASE("short of memory: what lingers gives way before open Calls and their connection") {
  const Trace trace = compiled(
      "client> connect\nclient> call nfs3 GETATTR xid=0x99\n"
      "repeat 900\n  client> call nfs3 WRITE read(@d 4096)\n  server> serve\nend\nserver> reply xid=0x99\n",
      Fabric::roce2);
  const Survivors some(trace, 700'000), all(trace, 7'000'000);
  CHECK(all.notices == 0);
  CHECK(some.notices == 1);
  CHECK(some.connections == 1);
  CHECK(some.answered);
}

TEST_CASE("short of memory: a connection of which waiting bytes gave way says so, and goes on") {
  Trace trace = compiled(
      "client> connect\nclient> call nfs3 GETATTR\nserver> reply\nclient> call nfs3 READ write(@d 400000)\n"
      "server> write @d\nserver> reply\n",
      Fabric::iwarp);
  // A segment of the Write is missing, and no acknowledgment says that it was received.
  constexpr size_t kMissing = 21;
  std::erase_if(trace.frames, [](const TraceFrame& frame) {
    return frame.at.number == kMissing || (frame.at.number > kMissing && frame.bytes[29] == 1);
  });
  const Survivors some(trace, 200'000), all(trace, 2'000'000);
  CHECK(all.notices == 0);
  CHECK(some.notices == 1);
  CHECK(some.connections == 1);
}

}  // namespace steertag::support
