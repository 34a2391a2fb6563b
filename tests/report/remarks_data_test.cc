// What is said of data that take their time, and of those who slow them down: receivers without room, and a
// congested network.
#include <catch2/catch.hpp>
#include <string>

#include "flow/pauses.h"
#include "healthy.h"

using namespace steertag;
using namespace steertag::report;
using flow::Phase;
using flow::WaitedOn;

TEST_CASE("remarks: moving data") {
  Capture capture;
  for (uint64_t i = 0; i < 20; ++i) {
    capture.add(
        MadeRpc(capture.connection, 1001 + 2 * i).took(kMs).took(150 * kMs, Phase::write, WaitedOn::data));
  }
  CHECK(capture.text() ==
        "* 99 % of NFSv3 READ time at 10.9.0.1 is the moving of its data from the server to the client, 25.0 "
        "ms an RPC; the longest, 150 ms, is the RPC in frame 1001.\n");
}

TEST_CASE("remarks: which way data moved") {
  const auto way = [](int64_t read, int64_t write, bool callback) {
    Capture capture;
    for (uint64_t i = 0; i < 20; ++i) {
      MadeRpc made(capture.connection, 1001 + 2 * i);
      made.exchange.backward = callback;
      capture.add(made.took(read, Phase::read, WaitedOn::data).took(write, Phase::write, WaitedOn::data));
    }
    const std::string text = capture.text();
    const std::string front = " is the moving of its data ";
    const size_t begin = text.find(front) + front.size();
    return text.substr(begin, text.find(',', begin) - begin);
  };
  CHECK(way(150 * kMs, 0, false) == "from the client to the server");
  CHECK(way(150 * kMs, 0, true) == "from the server to the client");
  CHECK(way(100 * kMs, 200 * kMs, false) == "in both directions");
  CHECK(way(400 * kMs, 100 * kMs, false) == "from the client to the server");
  CHECK(way(100 * kMs, 400 * kMs, false) == "from the server to the client");
}

TEST_CASE("remarks: receivers that were not ready, and a congested network") {
  Capture capture;
  capture.connection.ends[0].rnr_naks = 3;
  capture.connection.ends[1].rnr_naks = 1;
  capture.connection.ends[1].ecn_ce = 9;
  capture.connection.ends[0].cnps = 1;
  capture.loads.note(capture.connection, {.from = rdma::Side::b, .at = {.number = 33}});
  MadeRpc made(capture.connection, 1001);
  made.took(kMs / 5);
  made.exchange.naks = 3;
  made.exchange.timing.refused_ns = kMs / 10;
  capture.add(made);
  CHECK(
      capture.text() ==
      "* The client 10.9.0.2 had no receive buffer ready 3 times, the server 10.9.0.1 had no receive buffer "
      "ready 1 time (RNR NAKs, connection #1); 1 RPC waited 100 us for that; the RPC in frame 1001 met most "
      "of it.\n"
      "* The network is congested: on connection #1 it marked 9 packets (ECN), and 1 CNP asked to slow down; "
      "the first in frame 33.\n");
}

TEST_CASE("remarks: RPCs that met congestion, the longest, and what the others took") {
  Capture capture;
  capture.connection.ends[1].ecn_ce = 10;
  capture.connection.pauses = 1;
  capture.loads.note(capture.connection, {.from = rdma::Side::b, .at = {.number = 33}});
  const auto add = [&](uint64_t frame, int64_t ns, const flow::Slowdown& met, std::string_view op = "READ") {
    MadeRpc made(capture.connection, frame, 0, op);
    made.exchange.slowdown = met;
    capture.add(made.took(ns));
  };
  add(1001, kMs / 2, {.ecn_ce = 1});
  add(1003, 2 * kMs, {.pauses = 1, .stopped_ns = kMs});
  add(1005, 3 * kMs, {.cnps = 1}, "WRITE");
  add(1007, 4 * kMs, {.ecn_ce = 2});
  add(1009, 9 * kMs, {.rnr_naks = 1, .zero_windows = 1});
  CHECK(capture.text() ==
        "* The network is congested: on connection #1 it marked 10 packets (ECN), and 0 CNPs asked to slow "
        "down, "
        "while 1 pause frame stopped some link; the first in frame 33; 4 RPCs met that, the longest: NFSv3 "
        "READ in "
        "frame 1007 (4.00 ms; half of all take at most 230 us), NFSv3 WRITE in frame 1005 (3.00 ms; half of "
        "all "
        "take at most 3.00 ms), NFSv3 READ in frame 1003 (2.00 ms; half of all take at most 230 us).\n");
}

TEST_CASE("remarks: what others of an operation took is said once where it is named twice in a row") {
  Capture capture;
  capture.connection.ends[1].ecn_ce = 10;
  capture.loads.note(capture.connection, {.from = rdma::Side::b, .at = {.number = 33}});
  for (uint64_t i = 0; i < 2; ++i) {
    MadeRpc made(capture.connection, 1001 + 2 * i, 0, "READ");
    made.exchange.slowdown = {.ecn_ce = 1};
    capture.add(made.took(static_cast<int64_t>(4 - i) * kMs));
  }
  MadeRpc other(capture.connection, 1005, 0, "READ");
  capture.add(other.took(kMs));
  const std::string text = capture.text();
  CHECK(text.find("NFSv3 READ in frame 1001 (4.00 ms; half of all take at most ") != std::string::npos);
  CHECK(text.find("NFSv3 READ in frame 1003 (3.00 ms).") != std::string::npos);
}

TEST_CASE("remarks: who waited while pause frames stopped a link is not called slow") {
  for (const bool paused : {false, true}) {
    for (const WaitedOn whom : {WaitedOn::responder, WaitedOn::requester, WaitedOn::data}) {
      Capture capture;
      capture.connection.pauses = flow::Pauses::kLeast;
      MadeRpc made(capture.connection, 1001);
      made.took(2000 * kMs, whom == WaitedOn::responder ? Phase::serve : Phase::read, whom);
      if (paused) {
        made.exchange.slowdown = {.pauses = flow::Pauses::kLeast, .stopped_ns = 1900 * kMs};
      }
      capture.add(made);
      const std::string text = capture.text();
      CAPTURE(text, paused, static_cast<int>(whom));
      CHECK((text.find("NFSv3 READ time") == std::string::npos) == paused);
      CHECK((text.find("The network is congested") != std::string::npos) == paused);
    }
  }
}

TEST_CASE("remarks: receivers of both ends that were not ready are told apart") {
  Capture capture;
  capture.connection.ends[0].rnr_naks = 3;
  capture.connection.ends[1].rnr_naks = 20;
  MadeRpc call(capture.connection, 1001), reply(capture.connection, 1003);
  call.took(kMs);
  call.exchange.naks = 20;
  call.exchange.timing.refused_ns = call.exchange.timing.refused_call_ns = kMs / 10;
  capture.add(call);
  reply.took(kMs);
  reply.exchange.naks = 3;
  reply.exchange.timing.refused_ns = kMs / 5;
  capture.add(reply);
  CHECK(
      capture.text() ==
      "* The client 10.9.0.2 had no receive buffer ready 3 times (RNR NAKs, connection #1); 1 RPC waited 200 "
      "us for that; the RPC in frame 1003 met most of it.\n"
      "* The server 10.9.0.1 had no receive buffer ready 20 times (RNR NAKs, connection #1); 1 RPC waited "
      "100 us for that; the RPC in frame 1001 met most of it.\n");
}

TEST_CASE("remarks: a receiver of TCP without room") {
  Capture capture;
  capture.connection.transport = rdma::Transport::iwarp;
  capture.connection.ends[0].zero_windows = 2;
  capture.connection.ends[0].first_zero_window = {.number = 40, .time_ns = 40};
  capture.connection.ends[1].zero_windows = 1;
  capture.connection.ends[1].first_zero_window = {.number = 30, .time_ns = 30};
  MadeRpc made(capture.connection, 1001);
  capture.add(made.took(kMs / 5));
  CHECK(capture.text() ==
        "* The client 10.9.0.2 had no room for more bytes 2 times, the server 10.9.0.1 had no room for more "
        "bytes 1 time (TCP windows of zero, connection #1); the first in frame 30.\n");
}
