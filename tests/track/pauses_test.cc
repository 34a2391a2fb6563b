// Which pause frames are counted with a connection: those that stop somebody, from its first packet on.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "support/compiled.h"

namespace steertag::support::pausing {
namespace {

using scenario::Fabric;

// A priority flow control frame about class 3.
TraceFrame asks(const TraceFrame& beside, uint8_t quanta) {
  constexpr std::array<uint8_t, 14> kBehindAddresses = {0x88, 0x08, 0x01, 0x01, 0x00, 0x08};
  TraceFrame frame{beside.at, std::vector<uint8_t>(60), 60};
  std::copy(kBehindAddresses.begin(), kBehindAddresses.end(), frame.bytes.begin() + 12);
  frame.bytes[11] = 9;
  frame.bytes[24] = quanta;
  return frame;
}

uint32_t pauses_of_the_one(const Trace& trace) {
  struct Log final : Observer {
    std::vector<uint32_t> pauses;
    void on(const Event& event) override {
      if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
        pauses.push_back(closed->connection.pauses);
      }
    }
  };
  Log log;
  feed_all(log, trace);
  REQUIRE(log.pauses.size() == 1);
  return log.pauses[0];
}

void insert(Trace& trace, size_t place, size_t count, uint8_t quanta) {
  const TraceFrame frame = asks(trace.frames[place], quanta);
  trace.frames.insert(trace.frames.begin() + static_cast<ptrdiff_t>(place), count, frame);
}

}  // namespace

TEST_CASE("pauses: those before a connection are not its, nor is what lets go on") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    Trace trace = compiled("client> connect\nclient> call nfs3 GETATTR\nserver> reply\n", fabric);
    insert(trace, trace.frames.size() - 1, 2, 1);
    insert(trace, trace.frames.size() - 1, 5, 0);
    insert(trace, 0, 3, 1);
    CHECK(pauses_of_the_one(trace) == 2);
  }
}

TEST_CASE("pauses: all since the first packet, however long it takes until the connection is known") {
  Trace trace = compiled("client> call nfs3 GETATTR\nserver> reply\n", Fabric::roce2);
  insert(trace, 1, 70, 1);
  insert(trace, 0, 50, 1);
  CHECK(pauses_of_the_one(trace) == 70);
}

}  // namespace steertag::support::pausing
