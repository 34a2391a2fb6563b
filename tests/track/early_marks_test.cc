// Marks of congestion on a TCP connection before it is known what it carries.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "support/compiled.h"
#include "track/iwarp_table.h"

namespace steertag::support {
namespace {

struct Marked final : Observer {
  uint64_t reported = 0, counted = 0;
  size_t messages = 0;

  void on(const Event& event) override {
    if (std::holds_alternative<MessageSeen>(event)) {
      ++messages;
    } else if (std::holds_alternative<CongestionSeen>(event)) {
      ++reported;
    } else if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
      counted += closed->connection.ends[0].ecn_ce + closed->connection.ends[1].ecn_ce;
    }
  }
};

}  // namespace

TEST_CASE("bounds: ECN marks of a TCP connection that is not known to be iWARP yet") {
  using track::IwarpTable;
  for (const size_t count :
       {IwarpTable::kMaxEarlyMarks - 1, IwarpTable::kMaxEarlyMarks, IwarpTable::kMaxEarlyMarks + 1}) {
    Trace trace =
        compiled("client> connect\nclient> call nfs3 GETATTR\nserver> reply\n", scenario::Fabric::iwarp);
    TraceFrame marked = trace.frames[2];  // the client's ACK of the SYN
    marked.bytes[14 + 1] |= 3;
    trace.frames.insert(trace.frames.begin() + 3, count, marked);
    Marked heard;
    feed_all(heard, trace);
    CHECK(heard.messages == 2);
    CHECK(heard.reported == std::min(count, IwarpTable::kMaxEarlyMarks));
    CHECK(heard.counted == count);
  }
}

}  // namespace steertag::support
