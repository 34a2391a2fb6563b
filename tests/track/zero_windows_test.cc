// How often an end of a TCP connection had no room: each time that its window closes, from the first one on.
#include <array>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "support/compiled.h"

namespace steertag::support::closing {
namespace {

using scenario::Fabric;

constexpr size_t kWindow = 14 + 20 + 14;  // in an IPv4 frame without options

// Those of the client and of the server.
std::array<track::End, 2> ends_of(const Trace& trace) {
  struct Log final : Observer {
    std::vector<std::array<track::End, 2>> ends;
    void on(const Event& event) override {
      if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
        REQUIRE(closed->connection.client);
        const rdma::Side client = *closed->connection.client;
        ends.push_back({closed->connection.end(client), closed->connection.end(rdma::other(client))});
      }
    }
  };
  Log log;
  feed_all(log, trace);
  REQUIRE(log.ends.size() == 1);
  return log.ends[0];
}

void close_window(TraceFrame& frame) {
  frame.bytes[kWindow] = frame.bytes[kWindow + 1] = 0;
}

const std::string kRpcs =
    "client> connect\nclient> call nfs3 NULL\nserver> reply\nclient> call nfs3 NULL\nserver> reply\n";

}  // namespace

TEST_CASE("zero windows: once for each time that it closes") {
  const std::string closes = "client> full\nclient> full\nclient> room\nclient> room\n";
  const auto ends =
      ends_of(compiled(kRpcs + closes + "server> full\nserver> room\n" + closes, Fabric::iwarp));
  CHECK(ends[0].zero_windows == 2);
  CHECK(ends[1].zero_windows == 1);
  CHECK(ends[0].first_zero_window.number < ends[1].first_zero_window.number);
  CHECK(ends_of(compiled(kRpcs, Fabric::iwarp))[0].zero_windows == 0);
}

TEST_CASE("zero windows: RoCE has none") {
  const auto ends = ends_of(compiled(kRpcs + "client> full\nclient> room\n", Fabric::roce2));
  CHECK(ends[0].zero_windows + ends[1].zero_windows == 0);
}

TEST_CASE("zero windows: what comes late says nothing of now, nor does a SYN or a RST") {
  Trace trace = compiled(kRpcs + "client> disconnect reset\n", Fabric::iwarp);
  close_window(trace.frames[0]);
  close_window(trace.frames.back());
  CHECK(ends_of(trace)[0].zero_windows == 0);
  // The client's acknowledgment of the first Reply, seen once more behind the second one's.
  Trace late = compiled(kRpcs, Fabric::iwarp);
  REQUIRE(late.frames.size() > 10);
  TraceFrame old = late.frames[2];
  close_window(old);
  late.frames.push_back(std::move(old));
  late.frames.back().at = late.frames[late.frames.size() - 2].at;
  CHECK(ends_of(late)[0].zero_windows == 0);
}

}  // namespace steertag::support::closing
