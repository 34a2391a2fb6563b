// Collection hears of a capture and passes it on: what it was told is in the incidents that it makes.
#include "incident/collection.h"

#include <catch2/catch.hpp>
#include <vector>

#include "stats/made.h"

namespace steertag::incident {
namespace {

using stats::kMs;
using stats::kSecond;

struct Heard {
  Collection collection;

  static track::Connection connection(uint32_t number, int64_t from_ns, int64_t to_ns) {
    track::Connection c = stats::made_connection(number);
    c.first_frame = {.number = number * 100, .time_ns = from_ns};
    c.last_frame = {.number = number * 100 + 99, .time_ns = to_ns};
    return c;
  }
  static track::Connection ended(track::Connection c, rdma::Side by) {
    c.ended = rdma::EndReason::disconnect;
    c.ended_by = by;
    return c;
  }
  std::vector<Incident> told() const {
    const stats::Topics topics;
    const stats::Loads loads;
    const stats::Totals all;
    return collection.incidents({topics, loads, all}, 10 * kSecond);
  }
};

TEST_CASE("a connection that was lost is back once another one is used, not once that begins") {
  for (const bool named : {false, true}) {
    Heard capture;
    capture.collection.close(Heard::ended(Heard::connection(1, 0, 10 * kSecond), rdma::Side::b));
    if (named) {
      capture.collection.name(Heard::connection(2, 11 * kSecond, 12 * kSecond));
    }
    capture.collection.close(Heard::connection(2, 11 * kSecond, 20 * kSecond));
    const std::vector<Incident> told = capture.told();
    REQUIRE(told.size() == 1);
    CHECK(told[0].kind == Kind::connection_lost);
    CHECK(told[0].end_ns == (named ? 12 : 11) * kSecond);
  }
}

TEST_CASE("a complaint by which a connection ends makes it one that was lost") {
  Heard capture;
  const track::Connection c = Heard::ended(Heard::connection(1, 0, 10 * kSecond), rdma::Side::a);
  capture.collection.close(c);
  CHECK(capture.told().empty());
  const flow::Incident nak = stats::made_nak(c, {.number = 160, .time_ns = 160 * kMs});
  capture.collection.note(nak);
  const std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].kind == Kind::connection_lost);
  CHECK(told[0].frames.front().number == 160);
}

TEST_CASE("what Replies say of a session makes an incident of it") {
  constexpr uint32_t kBackchannelFault = 0x400;  // RFC 8881 §18.46.3
  Heard capture;
  const track::Connection c = Heard::connection(1, 0, 60 * kSecond);
  capture.collection.close(c);
  for (uint64_t i = 0; i < 3; ++i) {
    stats::MadeRpc rpc(c, 150 + 2 * i, static_cast<int64_t>(20 + i) * kSecond, "READ", 4);
    rpc.exchange.subject.sequence_flags = kBackchannelFault;
    capture.collection.note(rpc.exchange);
  }
  const std::vector<Incident> told = capture.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].kind == Kind::session);
  CHECK(told[0].frames.front().number == 151);
}

}  // namespace
}  // namespace steertag::incident
