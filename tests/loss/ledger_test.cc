// Which RPCs waited for a loss, what losses add up to, and what several have noted of their shares.
#include "loss/ledger.h"

#include <catch2/catch.hpp>

using namespace steertag;
using loss::Entry;
using loss::Ledger;

namespace {

Stamp at(uint64_t frame, int64_t ms) {
  return {.number = frame, .time_ns = ms * 1'000'000};
}

struct Noted {
  explicit Noted(uint32_t number = 1) {
    connection.number = number;
    connection.rpcrdma = true;
    connection.last_frame = at(100, 1000);
  }
  void rpc(uint32_t xid, int64_t begin_ms, int64_t took_ms, int64_t recovery_ms) {
    flow::Exchange exchange;
    exchange.connection = &connection;
    exchange.xid = xid;
    exchange.call = at(xid, begin_ms);
    exchange.timing.delivered_ns = took_ms * 1'000'000;
    exchange.timing.recovery_ns = recovery_ms * 1'000'000;
    ledger.note(exchange);
  }
  void lost(int64_t since_ms, int64_t accepted_ms, uint64_t packets = 1) {
    flow::Loss one;
    one.since = at(static_cast<uint64_t>(since_ms) + 1, since_ms);
    one.resent = at(static_cast<uint64_t>(since_ms) + 2, accepted_ms);
    one.accepted = one.resent;
    one.packets = packets;
    one.bytes = packets * 10;
    ledger.note(connection, one);
  }
  track::Connection connection;
  Ledger ledger;
};

std::vector<uint32_t> waited(const Entry& entry) {
  std::vector<uint32_t> xids;
  for (const loss::WaitingRpc& rpc : entry.rpcs) {
    xids.push_back(rpc.xid);
  }
  return xids;
}

}  // namespace

TEST_CASE("ledger: those RPCs waited that lost time, and were under way meanwhile") {
  Noted noted;
  noted.lost(100, 200);
  noted.rpc(1, 0, 99, 5);     // over before
  noted.rpc(2, 50, 150, 5);   // until the end
  noted.rpc(3, 50, 150, 0);   // without waiting
  noted.rpc(4, 150, 100, 5);  // from within
  noted.rpc(5, 201, 10, 5);   // begun later
  const std::vector<Entry> all = noted.ledger.entries();
  REQUIRE(all.size() == 1);
  CHECK(waited(all.front()) == std::vector<uint32_t>{2, 4});
}

TEST_CASE("ledger: an RPC without an answer waits as long as its connection is watched") {
  Noted noted;
  flow::Exchange exchange;
  exchange.connection = &noted.connection;
  exchange.xid = 7;
  exchange.call = at(1, 0);
  exchange.timing.unanswered_ns = 1;
  noted.ledger.note(exchange);
  noted.lost(900, 950);
  CHECK(waited(noted.ledger.entries().front()) == std::vector<uint32_t>{7});
}

TEST_CASE("ledger: no more RPCs of one loss than it may have, those that began last") {
  Noted noted;
  noted.lost(500, 600);
  for (uint32_t xid = 1; xid <= Entry::kMostRpcs + 1; ++xid) {
    noted.rpc(xid, xid, 900, 5);
  }
  const Entry entry = noted.ledger.entries().front();
  REQUIRE(entry.rpcs.size() == Entry::kMostRpcs);
  CHECK(entry.rpcs.front().xid == 2);
  CHECK(entry.rpcs.back().xid == Entry::kMostRpcs + 1);
}

TEST_CASE("ledger: shares are put together by the time of their losses, under their final numbers") {
  Noted one, other;
  one.lost(300, 400, 3);
  other.lost(100, 200);
  other.rpc(9, 90, 50, 5);
  other.connection.end(rdma::Side::a).retransmissions = 4;
  other.ledger.close(other.connection);
  one.ledger.take_over(other.ledger, [](track::ConnectionNumber) { return track::ConnectionNumber(2); });
  const std::vector<Entry> all = one.ledger.entries();
  REQUIRE(all.size() == 2);
  CHECK(uint32_t{all[0].connection} == 2);
  CHECK(uint32_t{all[0].rpcs.front().connection} == 2);
  CHECK(uint32_t{all[1].connection} == 1);
  CHECK(one.ledger.losses() == 2);
  REQUIRE(one.ledger.sums().size() == 2);
  CHECK(one.ledger.sums().at(2)[0].sent_again == 4);
  const auto behind = static_cast<size_t>(flow::Loss::Where::after_tap);
  CHECK(one.ledger.sums().at(1)[0].packets[behind] == 3);
  CHECK(one.ledger.sums().at(1)[0].bytes[behind] == 30);
}

TEST_CASE("ledger: waits and connections beyond the bound are forgotten") {
  Noted noted;
  for (size_t i = 0; i <= Ledger::kMostWaits; ++i) {
    noted.rpc(static_cast<uint32_t>(i) + 1, 0, 10, 5);
  }
  noted.lost(20, 30);
  noted.rpc(7, 20, 10, 5);
  CHECK(noted.ledger.entries().front().rpcs.empty());
  for (uint32_t number = 2; number <= Ledger::kMostConnections + 1; ++number) {
    noted.connection.number = number;
    noted.lost(20, 30);
  }
  CHECK(noted.ledger.sums().size() == Ledger::kMostConnections);
}

TEST_CASE("ledger: losses beyond the bound are added up, and not kept") {
  Noted noted;
  for (size_t i = 0; i <= Ledger::kMostLosses; ++i) {
    noted.lost(1, 2);
  }
  CHECK(noted.ledger.losses() == Ledger::kMostLosses + 1);
  CHECK(noted.ledger.entries().size() == Ledger::kMostLosses);
  CHECK(noted.ledger.sums().at(1)[0].losses == Ledger::kMostLosses + 1);
}

TEST_CASE("ledger: of many losses those are told that took the longest, or may not be over, by time") {
  Noted noted;
  for (int64_t i = 0; i < 10; ++i) {
    noted.lost(100 * i, 100 * i + (i % 2 == 0 ? 90 : 10));
  }
  flow::Loss open;
  open.since = at(5000, 50);
  open.resent = at(5001, 60);
  noted.ledger.note(noted.connection, open);
  std::vector<uint64_t> frames;
  for (const Entry& entry : noted.ledger.longest(4)) {
    frames.push_back(entry.loss.since.number);
  }
  CHECK(frames == std::vector<uint64_t>{1, 5000, 201, 401});
  CHECK(noted.ledger.longest(11).size() == 11);
}
