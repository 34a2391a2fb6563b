// The bounds of an Analyzer as a whole: what is said one below, at and above.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "follower.h"
#include "support/compiled.h"

namespace steertag::support {
namespace {

using scenario::Fabric;

const std::string kRead = "client> call nfs3 READ write(@d 8192)\nserver> write @d\nserver> reply\n";

// What is said of pauses.
struct Paused final : Observer {
  uint64_t pauses = 0;          // reported one by one
  uint64_t pauses_counted = 0;  // with their connection
  size_t messages = 0;

  void on(const Event& event) override {
    if (std::holds_alternative<MessageSeen>(event)) {
      ++messages;
    } else if (std::holds_alternative<PauseSeen>(event)) {
      ++pauses;
    } else if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
      pauses_counted += closed->connection.pauses;
    }
  }
};

}  // namespace

TEST_CASE("bounds: pause frames before a connection was recognised") {
  std::vector<uint8_t> pause(60);
  std::copy_n(std::vector<uint8_t>{0x88, 0x08, 0x01, 0x01, 0x00, 0x08}.begin(), 6, pause.begin() + 12);
  pause[24] = pause[25] = 0xFF;
  for (const size_t count : {Follower::kMaxPauses - 1, Follower::kMaxPauses, Follower::kMaxPauses + 1}) {
    Trace trace = compiled(kRead, Fabric::roce2);  // without its setup: known once both directions are
    const TraceFrame first = trace.frames[0];
    trace.frames.insert(trace.frames.begin() + 1, count, TraceFrame{first.at, pause, 60});
    Paused heard;
    feed_all(heard, trace);
    CHECK(heard.messages == 2);
    CHECK(heard.pauses == count);
    CHECK(heard.pauses_counted == std::min(count, Follower::kMaxPauses));
  }
}

TEST_CASE("bounds: all that is charged") {
  base::Budget budget(Options{}.memory);
  budget.charge(Options::kDefaultMemory - 1);
  CHECK_FALSE(budget.over());
  budget.charge(1);
  CHECK_FALSE(budget.over());
  budget.charge(1);
  CHECK(budget.over());
}

}  // namespace steertag::support
