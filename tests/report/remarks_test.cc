// What stands out, in words: each sentence, and silence where traffic is healthy.
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "flow/pauses.h"
#include "healthy.h"

using namespace steertag;
using namespace steertag::report;
using flow::Phase;
using flow::WaitedOn;
using stats::kMs;
using stats::kSecond;
using stats::kUs;
using stats::MadeRpc;

namespace {

MadeRpc at_limit(const track::Connection& connection, uint64_t frame, int64_t ns) {
  MadeRpc made(connection, frame);
  made.took(kMs);
  made.exchange.timing.at_credit_limit_ns = ns;
  return made;
}

}  // namespace

TEST_CASE("remarks: nothing stands out of healthy traffic") {
  Capture capture;
  CHECK(capture.text() ==
        "* Nothing stands out: an RPC takes 140 us on average, most of it (89 %) in the phase serve, and the "
        "longest 230 us, in frame 1.\n");
}

TEST_CASE("remarks: a few failures, marks, NAKs, a little loss and a slow setup are no remark") {
  Capture capture;
  capture.connection.ends[0].ecn_ce = 9;
  capture.connection.ends[1].rnr_naks = 2;
  capture.connection.ends[0].credits.at_limit_ns = kSecond;
  stats::waits(capture.loads, capture.connection, 3 * kSecond);
  capture.add(MadeRpc(capture.connection, 501).took(kMs).failed("NFS3ERR_STALE"));
  capture.add(MadeRpc(capture.connection, 503).recovered(kMs / 2));
  capture.add(MadeRpc(capture.connection, 505).no_reply(kSecond - 1));
  capture.add(at_limit(capture.connection, 507, kMs / 2));
  for (uint64_t i = 0; i < 40; ++i) {  // files that are not there
    capture.add(MadeRpc(capture.connection, 601, 0, "LOOKUP").took(40 * kUs).failed("NFS3ERR_NOENT"));
  }
  CHECK(capture.text().starts_with("* Nothing stands out: "));
}

TEST_CASE("remarks: no time is known") {
  Capture capture;
  stats::Groups none({.op = true});
  const std::string text = printed([&](Buffer& out) {
    text_remarks(out, {{}, {}, none.all()}, TextStyle{});
  });
  CHECK(text == "* Nothing stands out, but no RPC's time is known.\n");
  for (uint64_t i = 0; i < 100; ++i) {
    MadeRpc made(capture.connection, 1001);
    capture.add(made);
  }
  CHECK(capture.text() ==
        "* The time of 100 of 300 RPCs is not known: the capture misses frames of them, or begins or ends in "
        "their middle, or shows one direction; they are counted, but are not in the times.\n");
}

TEST_CASE("remarks: waiting for credits") {
  Capture capture;
  capture.connection.ends[0].credits = {
      .granted_min = 4, .granted_max = 4, .in_flight_max = 4, .at_limit_ns = 6 * kSecond};
  rpcrdma::TransportHeader header;
  header.credit = 48;
  flow::Message call;
  call.connection = &capture.connection;
  call.header = &header;
  call.direction = flow::Direction::call;
  capture.loads.note(call);
  for (uint64_t i = 0; i < 50; ++i) {
    capture.add(at_limit(capture.connection, 1001 + 2 * i, i == 11 ? 3 * kMs : kMs));
  }
  CHECK(capture.text() ==
        "* At least 42 % of NFSv3 READ time at 10.9.0.1 is the wait for credits: 4 granted, 48 wanted, all "
        "in use for "
        "6.00 s on connection #1; the longest, 3.00 ms, ends with the Call in frame 1023.\n");
}

TEST_CASE("remarks: a connection at the limit of its credits, though nobody is known to have waited") {
  Capture capture;
  capture.connection.ends[0].credits = {
      .granted_min = 2, .granted_max = 4, .in_flight_max = 4, .at_limit_ns = 3 * kSecond};
  stats::waits(capture.loads, capture.connection, 8 * kSecond);
  CHECK(capture.text().starts_with("* Nothing stands out: "));
  stats::waits(capture.loads, capture.connection, 7 * kSecond);
  CHECK(capture.text() ==
        "* 10.9.0.1 grants fewer credits than 10.9.0.2 could use: 2 to 4 granted, all in use for 3.00 s on "
        "connection #1; that connection begins in frame 1.\n");
}

TEST_CASE("remarks: credits that were used up, where the client asks for more") {
  Capture capture;
  capture.connection.last_frame.time_ns = 1000 * kSecond;
  capture.connection.ends[0].credits = {
      .granted_min = 4, .granted_max = 4, .in_flight_max = 4, .at_limit_ns = 2 * kMs};
  stats::waits(capture.loads, capture.connection, kSecond);
  CHECK(capture.text().starts_with("* Nothing stands out: "));
  rpcrdma::TransportHeader header;
  header.credit = 48;
  flow::Message call;
  call.connection = &capture.connection;
  call.header = &header;
  call.direction = flow::Direction::call;
  capture.loads.note(call);
  CHECK(
      capture.text().starts_with("* 10.9.0.1 grants fewer credits than 10.9.0.2 could use: 4 granted, 48 "
                                 "wanted, all in use for 2.00 ms "));
}

// A Reply that was lost before the tap looks as if the server were slow.
TEST_CASE("remarks: one RPC that took long on a connection that lost packets") {
  const auto text = [](uint64_t retransmissions, uint64_t slow) {
    Capture capture;
    capture.connection.ends[1].retransmissions = retransmissions;
    for (uint64_t i = 0; i < slow; ++i) {
      capture.add(MadeRpc(capture.connection, 1001 + 2 * i).took(2 * kSecond));
    }
    return capture.text();
  };
  CHECK(text(0, 1).starts_with("* The server 10.9.0.1 is slow at times: "));
  CHECK(text(1, 200).starts_with("* The server 10.9.0.1 is slow: "));
  CHECK(
      text(1, 1) ==
      "* The longest NFSv3 READ RPC at 10.9.0.1 took 2.00 s, half of 101 at most 230 us: the server was "
      "slow, or the Reply was lost before the tap, as other packets of the connection were sent again; it is "
      "the RPC in frame 1001.\n");
}

TEST_CASE("remarks: loss, by the percentile that it makes") {
  Capture capture;
  capture.add(MadeRpc(capture.connection, 1001).took(200 * kUs).recovered(300 * kMs));
  capture.add(MadeRpc(capture.connection, 1003).took(200 * kUs).recovered(500 * kMs));
  CHECK(
      capture.text() ==
      "* p99 of NFSv3 READ time at 10.9.0.1 is 300 ms, and 230 us among RPCs that met no loss: 2 of 102 RPCs "
      "waited 800 "
      "ms for "
      "packets sent again; the longest, 500 ms, is the RPC in frame 1003, then 300 ms in frame 1001.\n");

  Capture once;
  for (uint64_t i = 0; i < 2000; ++i) {
    once.add(MadeRpc(once.connection, 5001).took(230 * kUs));
  }
  once.add(MadeRpc(once.connection, 1001).took(200 * kUs).recovered(300 * kMs));
  CHECK(once.text().starts_with(
      "* The longest NFSv3 READ time at 10.9.0.1 is 300 ms, and 230 us among RPCs that met no loss: 1 of "));

  Capture all;
  for (uint64_t i = 0; i < 10; ++i) {
    all.add(MadeRpc(all.connection, 1001, 0, "WRITE").recovered(10 * kMs));
  }
  CHECK(all.text().starts_with(
      "* Loss decides p50 of NFSv3 WRITE time at 10.9.0.1: 10 of 10 RPCs waited 100 ms "));

  Capture spread;  // a part of each
  for (uint64_t i = 0; i < 100; ++i) {
    MadeRpc made(spread.connection, 1001, 0, "WRITE");
    made.took(9 * kMs, Phase::write, WaitedOn::data).took(kMs, Phase::reply, WaitedOn::data);
    made.exchange.timing.recovery_ns = kMs;
    spread.add(made);
  }
  CHECK(spread.text().find("* 10 % of NFSv3 WRITE time at 10.9.0.1 is loss: 100 of 100 RPCs waited 100 ms") !=
        std::string::npos);
}

TEST_CASE("remarks: a slow server, of whose operations the dearest is named") {
  const auto slow = [](Phase phase, int64_t ns) {
    Capture capture;
    for (uint64_t i = 0; i < 20; ++i) {
      capture.add(MadeRpc(capture.connection, 1001 + 2 * i, 0, "WRITE").took(i == 3 ? 2 * ns : ns, phase));
      capture.add(MadeRpc(capture.connection, 2001, 0, "COMMIT").took(ns / 2, phase));
    }
    return capture.text();
  };
  CHECK(
      slow(Phase::serve, 20 * kMs) ==
      "* The server 10.9.0.1 is slow: 100 % of NFSv3 WRITE time is its own, 21.0 ms an RPC, most of it "
      "before "
      "its first RDMA Write, or the Reply; the longest, 40.0 ms, is the RPC in frame 1007; the same is true "
      "of 1 other operation.\n");
  CHECK(slow(Phase::start, 20 * kMs).find("before its first RDMA Read;") != std::string::npos);
  CHECK(slow(Phase::finish, 20 * kMs).find("between its last RDMA Write and the Reply;") !=
        std::string::npos);
  CHECK(slow(Phase::serve, 9 * kMs).starts_with("* Nothing stands out"));

  Capture setup;  // a session is set up: too few to say anything
  setup.add(MadeRpc(setup.connection, 1001, 0, "EXCHANGE_ID").took(100 * kMs));
  setup.add(MadeRpc(setup.connection, 1003, 0, "EXCHANGE_ID").took(100 * kMs));
  CHECK(setup.text().starts_with("* Nothing stands out"));

  Capture disturbed;
  for (uint64_t i = 0; i < 20; ++i) {
    MadeRpc made(disturbed.connection, 1001 + 2 * i, 0, "WRITE");
    made.exchange.retransmissions = i == 0 ? 1 : 0;
    disturbed.add(made.took(i == 0 ? 60 * kMs : 20 * kMs));
  }
  CHECK(disturbed.text().ends_with(
      "60.0 ms, is the RPC in frame 1001, while 1 packet was sent again or refused on its connection.\n"));

  Capture once;
  once.add(MadeRpc(once.connection, 1001).took(kSecond));
  CHECK(
      once.text() ==
      "* The server 10.9.0.1 is slow at times: 100 % of NFSv3 READ time is its own, half of 101 RPCs take at "
      "most 230 us, most of it before its first RDMA Write, or the Reply; the longest, 1.00 s, is the RPC in "
      "frame 1001.\n");

  Capture few;  // their mean is that of none
  for (uint64_t i = 0; i < 5; ++i) {
    few.add(MadeRpc(few.connection, 1001 + 2 * i).took(kSecond));
  }
  CHECK(few.text().starts_with(
      "* The server 10.9.0.1 is slow at times: 100 % of NFSv3 READ time is its own, p99 "
      "is 1.00 s, half of 105 RPCs take at most 230 us, "));
}

TEST_CASE("remarks: a long way to the server is not the server's fault") {
  Capture capture;
  capture.connection.ends[1].rtt_ns = 18 * kMs;
  for (uint64_t i = 0; i < 20; ++i) {
    capture.add(MadeRpc(capture.connection, 1001, 0, "WRITE").took(20 * kMs));
  }
  CHECK(capture.text() ==
        "* The way to the server 10.9.0.1 is long: a round trip is 18.0 ms of the 20.0 ms an NFSv3 WRITE RPC "
        "takes; the longest, 20.0 ms, is the RPC in frame 1001.\n");
}

TEST_CASE("remarks: of callbacks the client is the one that is asked") {
  const auto text = [](WaitedOn whom) {
    Capture capture;
    for (uint64_t i = 0; i < 20; ++i) {
      MadeRpc made(capture.connection, 1001 + 2 * i, 0, "CB_RECALL", 4);
      made.exchange.requester = rdma::Side::b;
      made.exchange.backward = true;
      capture.add(made.took(30 * kMs, whom == WaitedOn::responder ? Phase::serve : Phase::read, whom));
    }
    return capture.text();
  };
  CHECK(
      text(WaitedOn::responder)
          .starts_with("* The client 10.9.0.2 is slow: 100 % of NFSv4 CB_RECALL time is its own, 30.0 ms "));
  CHECK(
      text(WaitedOn::requester)
          .starts_with("* The server 10.9.0.1 is slow: 100 % of NFSv4 CB_RECALL time at 10.9.0.2 is spent on "
                       "waiting for it, 30.0 ms "));
}

TEST_CASE("remarks: a slow client") {
  Capture capture;
  for (uint64_t i = 0; i < 20; ++i) {
    capture.add(MadeRpc(capture.connection, 1001 + 2 * i, 0, "WRITE")
                    .took(kMs)
                    .took(3 * kMs, Phase::read, WaitedOn::requester));
  }
  CHECK(
      capture.text() ==
      "* The client 10.9.0.2 is slow: 75 % of NFSv3 WRITE time at 10.9.0.1 is spent on waiting for it, 3.00 "
      "ms an RPC; the longest, 3.00 ms, is the RPC in frame 1001.\n");
}

TEST_CASE("remarks: Calls without a Reply, and Calls sent again") {
  Capture capture;
  capture.add(MadeRpc(capture.connection, 1001, 0, "WRITE").no_reply(61 * kSecond));
  capture.add(MadeRpc(capture.connection, 1003, 0, "WRITE").no_reply(2 * kSecond));
  MadeRpc again(capture.connection, 1005, 0, "LOOKUP");
  again.exchange.timeline.moved = true;
  capture.add(again.took(kMs).again(2, 3, 62 * kSecond));
  MadeRpc ignored(capture.connection, 1007, 0, "ACCESS");
  capture.add(ignored.took(kMs).again(2, 3, 60 * kSecond));
  CHECK(
      capture.text() ==
      "* 2 of 2 NFSv3 WRITE RPCs at 10.9.0.1 had no Reply; the longest waited 61.0 s, its Call is in frame "
      "1001.\n"
      "* 1 NFSv3 LOOKUP Call at 10.9.0.1 was sent again; the longest took 62.0 s in all, its last Call is in "
      "frame 1005.\n"
      "* 1 NFSv3 ACCESS Call at 10.9.0.1 was not answered, and sent again; the longest took 60.0 s in all, "
      "its "
      "last Call is in frame 1007.\n");
}

TEST_CASE("remarks: who is said to have ignored a Call: nothing is missing, and nothing else kept it") {
  const auto ignored = [](auto&& change) {
    track::Connection connection = stats::made_connection();
    MadeRpc made(connection, 1007);
    made.took(kMs).again(2, 3, 60 * kSecond);
    change(connection, made.exchange);
    return stats::rpc_of(made.exchange).ignored;
  };
  using Connection = track::Connection;
  using Exchange = flow::Exchange;
  CHECK(ignored([](Connection&, Exchange&) {}));
  CHECK_FALSE(ignored([](Connection& c, Exchange&) { c.ends[0].gaps = 1; }));
  CHECK_FALSE(ignored([](Connection& c, Exchange&) { c.ends[1].gaps = 1; }));
  CHECK_FALSE(ignored([](Connection& c, Exchange&) { c.ends[0].zero_windows = 1; }));
  CHECK_FALSE(ignored([](Connection& c, Exchange&) { c.ends[0].rnr_naks = 1; }));
  CHECK_FALSE(ignored([](Connection& c, Exchange&) { c.pauses = flow::Pauses::kLeast; }));
  CHECK_FALSE(ignored([](Connection& c, Exchange&) { c.number = 2; }));
  CHECK_FALSE(ignored([](Connection&, Exchange& x) { x.timeline.moved = true; }));
  CHECK_FALSE(ignored([](Connection&, Exchange& x) { x.timeline.first_read = 0; }));
  CHECK_FALSE(ignored([](Connection&, Exchange& x) { x.timing.delivered_ns.reset(); }));
}

TEST_CASE("remarks: operations that fail") {
  Capture capture;
  for (uint64_t i = 0; i < 6; ++i) {
    capture.add(MadeRpc(capture.connection, 1001 + 2 * i)
                    .took(kMs / 5)
                    .failed(i < 2   ? "NFS3ERR_IO"
                            : i < 5 ? "NFS3ERR_STALE"
                                    : "NFS3ERR_NOENT"));
  }
  CHECK(capture.text().starts_with("* Nothing stands out"));  // 5 of 106
  capture.add(MadeRpc(capture.connection, 1021).took(kMs / 5).failed("NFS3ERR_STALE"));
  CHECK(capture.text() ==
        "* 6 of 107 NFSv3 READ RPCs at 10.9.0.1 failed, most with NFS3ERR_STALE, the first in frame 1005.\n");
}

TEST_CASE("remarks: RPCs whose operation is not known") {
  Capture capture;
  for (uint64_t i = 0; i < 4; ++i) {
    MadeRpc made(capture.connection, 1001 + 2 * i);
    made.exchange.procedure.reset();
    capture.add(made.took(200 * kMs).failed("ERR_CHUNK"));
  }
  CHECK(capture.text() ==
        "* The server 10.9.0.1 is slow: 100 % of RPC time is its own, 200 ms an RPC, most of it before its "
        "first "
        "RDMA Write, or the Reply; the longest, 200 ms, is the RPC in frame 1001.\n"
        "* 4 of 4 RPCs at 10.9.0.1 failed, most with ERR_CHUNK, the first in frame 1001.\n");
}

TEST_CASE("remarks: the dearest first, and not too many") {
  Capture capture;
  for (uint8_t server = 10; server < 10 + kMostRemarks + 2; ++server) {
    const track::Connection connection = stats::made_connection(1, 2, server);
    for (uint64_t i = 0; i < 20; ++i) {
      capture.add(MadeRpc(connection, 1001, 0, "WRITE").took((30 + server) * kMs));
    }
  }
  const std::string text = capture.text();
  CHECK(text.starts_with("* The server 10.9.0.21 is slow"));
  CHECK(std::count(text.begin(), text.end(), '\n') == kMostRemarks + 1);
  CHECK(text.ends_with("* And 2 things of less weight.\n"));
}
