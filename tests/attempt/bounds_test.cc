// The bounds of attempt/: what is beyond them gives way, and the rest is told as before.
#include <catch2/catch.hpp>
#include <vector>

#include "attempt/attempts.h"
#include "attempt/cm_tries.h"
#include "rdma/roce/cm.h"
#include "track/arrival.h"
#include "track/connection.h"
#include "track/tcp_setup.h"
#include "wire/writer.h"

namespace steertag::attempt {
namespace {

base::Address host(uint32_t number) {
  const uint8_t octets[] = {10, static_cast<uint8_t>(number >> 16), static_cast<uint8_t>(number >> 8),
                            static_cast<uint8_t>(number)};
  return base::Address::ipv4(octets);
}

track::Arrival arrival(uint64_t number) {
  track::Arrival made;
  made.packet.carrier = link::Carrier::roce2;
  made.packet.source = host(1);
  made.packet.destination = host(2);
  made.at.number = made.order = number;
  made.at.time_ns = static_cast<int64_t>(number) * 4'000'000'000;  // a REQ is sent again every few seconds
  return made;
}

rdma::roce::CmMessage request(uint32_t number) {
  rdma::roce::CmMessage made;
  made.local_comm_id = made.local_qpn = number;
  made.service_id = rdma::roce::ip_service_id(20049);
  made.has_starting_psn = true;
  return made;
}

// A connection over TCP whose SYN was refused, of that client.
track::Connection tcp_connection(uint32_t client, uint64_t frame) {
  track::Connection made;
  made.transport = rdma::Transport::iwarp;
  made.client = rdma::Side::a;
  made.end(rdma::Side::a).address = host(client);
  made.end(rdma::Side::b).address = host(2);
  made.end(rdma::Side::b).port = 20049;
  made.order = frame;
  made.first_frame.number = made.last_frame.number = frame;
  return made;
}

track::TcpSetup refused(uint64_t frame) {
  track::TcpSetup made;
  made.syn_from = rdma::Side::a;
  made.syns.push_back({.number = frame});
  made.end = track::TcpSetup::End{.by = rdma::Side::b, .reset = true, .at = {.number = frame}};
  return made;
}

TEST_CASE("of more tries than are followed the oldest is over") {
  std::vector<Try> failed;
  CmTries tries([&](Try&& one) { failed.push_back(std::move(one)); });
  const auto most = static_cast<uint32_t>(CmTries::kMost);
  for (uint32_t number = 1; number <= most; ++number) {
    tries.on_message(arrival(number), request(number));
  }
  CHECK(failed.empty());
  tries.on_message(arrival(most + 1), request(most + 1));
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].first.number == 1);
  CHECK(failed[0].outcome == Outcome::unanswered);
  tries.finish();
  CHECK(failed.size() == CmTries::kMost + 1);
}

TEST_CASE("a try names no more frames than it may") {
  std::vector<Try> failed;
  CmTries tries([&](Try&& one) { failed.push_back(std::move(one)); });
  for (uint64_t number = 1; number <= 2 * kMostFrames; ++number) {
    tries.on_message(arrival(number), request(7));
  }
  tries.finish();
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].frames.size() == kMostFrames);
  CHECK(failed[0].last.number == 2 * kMostFrames);
}

TEST_CASE("attempts beyond those that are told apart are not counted") {
  Attempts attempts({20049});
  for (uint32_t client = 0; client <= Attempts::kMostGroups; ++client) {
    attempts.on_tcp(refused(client + 1), tcp_connection(100 + client, client + 1));
  }
  attempts.on_tcp(refused(9999), tcp_connection(100, 9999));
  const std::vector<Attempt> told = attempts.finish();
  REQUIRE(told.size() == Attempts::kMostGroups);
  CHECK(told[0].tries == 2);
}

TEST_CASE("of what came up the latest is remembered, of each pair of hosts") {
  for (const uint32_t ups : {1U, 2U, static_cast<uint32_t>(Attempts::kMostSuccesses) + 3}) {
    Attempts attempts({20049});
    attempts.on_tcp(refused(1), tcp_connection(100, 1));
    for (uint32_t number = 1; number <= ups; ++number) {
      track::Connection up = tcp_connection(100, 1 + number);
      up.number = number;
      attempts.on_came_up(up);
    }
    const std::vector<Attempt> told = attempts.finish();
    REQUIRE(told.size() == 1);
    CHECK(told[0].then == Then::connection);
    CHECK(told[0].conn == (ups > Attempts::kMostSuccesses ? ups - Attempts::kMostSuccesses + 1 : 1));
  }
}

TEST_CASE("what comes up between more pairs of hosts than are known is no answer to an attempt") {
  for (const size_t before : {Attempts::kMostPairs - 1, Attempts::kMostPairs}) {
    Attempts attempts({20049});
    attempts.on_tcp(refused(1), tcp_connection(1, 1));
    for (size_t i = 0; i < before; ++i) {
      attempts.on_came_up(tcp_connection(static_cast<uint32_t>(i) + 2, 2));
    }
    track::Connection up = tcp_connection(1, 3);
    up.number = 1;
    attempts.on_came_up(up);
    const std::vector<Attempt> told = attempts.finish();
    REQUIRE(told.size() == 1);
    CHECK(told[0].then == (before < Attempts::kMostPairs ? Then::connection : Then::none));
  }
}

TEST_CASE("a REQ that a mirror has seen twice is one") {
  std::vector<Try> failed;
  CmTries tries([&](Try&& one) { failed.push_back(std::move(one)); });
  track::Arrival copy = arrival(1);
  tries.on_message(copy, request(7));
  copy.at.time_ns += 300'000;
  tries.on_message(copy, request(7));
  tries.finish();
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].frames.size() == 1);
  CHECK_FALSE(failed[0].certain);
}

}  // namespace
}  // namespace steertag::attempt
