// Calls that are sent again, on the same connection or a later one: one story, told with the last attempt.
#include "timing/retries.h"

#include "support/scenario_trace.h"
#include "support/timed.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::timing;
using scenario::Fabric;
using support::kFabrics;
using support::LinedTrace;
using support::TimedRpc;

namespace {

const std::string kAttempt = "client> call nfs3 GETATTR xid=5\n";  // line 3, and later again
const std::string kOpening = "pace 10us\nclient> connect\n" + kAttempt;
constexpr uint32_t kFirstLine = 3;

// All RPCs with XID 5, in order of their Calls.
std::vector<TimedRpc> attempts(const LinedTrace& trace) {
  std::vector<TimedRpc> found;
  for (const TimedRpc& rpc : trace.rpcs()) {
    if (rpc.xid == 5) {
      found.push_back(rpc);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const TimedRpc& a, const TimedRpc& b) { return a.call->number < b.call->number; });
  return found;
}

void check_retry(const TimedRpc& retry, const TimedRpc& before, uint32_t attempts) {
  CHECK(retry.timing.attempts == attempts);
  REQUIRE(retry.timing.retry_of);
  CHECK(retry.timing.retry_of->call == *before.call);
  CHECK(retry.timing.retry_of->connection == before.conn);
}

void check_no_retry(const TimedRpc& rpc) {
  CHECK(rpc.timing.attempts == 1);
  CHECK_FALSE(rpc.timing.retry_of);
  CHECK_FALSE(rpc.timing.total_ns);
}

Stamp stamp_of(uint64_t number) {
  return {.number = number, .time_ns = static_cast<int64_t>(number) * 1000};
}

track::Connection connection_of(uint64_t order, uint32_t number) {
  track::Connection connection;
  connection.order = order;
  connection.number = number;
  connection.rpcrdma = number != 0;
  return connection;
}
const track::Connection kConnection = connection_of(1, 1);

std::optional<Retries::Attempt> note(Retries& retries, uint64_t key, uint64_t call,
                                     const track::Connection& connection = kConnection) {
  return retries.note(key, connection, stamp_of(call));
}

}  // namespace

TEST_CASE("retries: on the same connection") {
  for (const Fabric fabric : kFabrics) {
    const LinedTrace trace(kOpening + "wait 50ms\n" + kAttempt + "server> reply xid=5\n", fabric);
    const std::vector<TimedRpc> rpcs = attempts(trace);
    REQUIRE(rpcs.size() == 2);
    check_no_retry(rpcs[0]);
    CHECK_FALSE(rpcs[0].timing.unanswered_ns);  // the Reply answers both
    check_retry(rpcs[1], rpcs[0], 2);
    CHECK(rpcs[1].timing.total_ns == trace.at(6, 1) - trace.at(kFirstLine, 1));
    CHECK(rpcs[1].timing.delivered_ns == trace.at(6, 1) - trace.at(5, 1));
  }
}

TEST_CASE("retries: on a later connection, and on one after that") {
  const std::string again = "wait 1s\nclient> disconnect\nclient> connect\n" + kAttempt;
  for (const Fabric fabric : kFabrics) {
    const LinedTrace trace(kOpening + again + again + "server> reply\n", fabric);
    const std::vector<TimedRpc> rpcs = attempts(trace);
    REQUIRE(rpcs.size() == 3);
    check_no_retry(rpcs[0]);
    REQUIRE(rpcs[0].timing.unanswered_ns);
    CHECK(*rpcs[0].timing.unanswered_ns >= 1'000'000'000);
    check_retry(rpcs[1], rpcs[0], 2);
    CHECK_FALSE(rpcs[1].timing.total_ns);
    check_retry(rpcs[2], rpcs[1], 3);
    CHECK(rpcs[2].timing.total_ns == trace.at(12, 1) - trace.at(kFirstLine, 1));
  }
}

// The first Reply was never acknowledged, so its Requester asks again; the server answers again.
TEST_CASE("retries: after a Reply that did not arrive") {
  for (const Fabric fabric : kFabrics) {
    const LinedTrace trace(kOpening + "server> reply noack\nwait 50ms\nclient> disconnect reset noack\n" +
                               "client> connect\n" + kAttempt + "server> reply\n",
                           fabric);
    const std::vector<TimedRpc> rpcs = attempts(trace);
    REQUIRE(rpcs.size() == 2);
    check_no_retry(rpcs[0]);
    CHECK_FALSE(rpcs[0].timing.delivered_ns);
    CHECK_FALSE(rpcs[0].timing.unanswered_ns);
    check_retry(rpcs[1], rpcs[0], 2);
    CHECK(rpcs[1].timing.total_ns == trace.at(9, 1) - trace.at(kFirstLine, 1));
  }
}

TEST_CASE("retries: another Call with the same XID is none") {
  for (const Fabric fabric : kFabrics) {
    for (const char* other : {"client> call nfs3 ACCESS xid=5\nserver> reply xid=5\n",      // another message
                              "client> call nfs3 GETATTR xid=6\nserver> reply xid=6\n"}) {  // another XID
      const LinedTrace trace(kOpening + "server> reply\n" + other, fabric);
      for (const TimedRpc& rpc : trace.rpcs()) {
        check_no_retry(rpc);
      }
    }
    // What was answered, and the answer taken, is over.
    const LinedTrace over(
        kOpening + "server> reply\nclient> disconnect\nclient> connect\n" + kAttempt + "server> reply\n",
        fabric);
    for (const TimedRpc& rpc : attempts(over)) {
      check_no_retry(rpc);
    }
  }
}

TEST_CASE("retries: a Call that is never answered has waited until the end") {
  for (const Fabric fabric : kFabrics) {
    const LinedTrace trace(kOpening + "wait 50ms\nclient> call nfs3 NULL xid=9\nserver> reply xid=9\n",
                           fabric);
    const std::vector<TimedRpc> rpcs = attempts(trace);
    REQUIRE(rpcs.size() == 1);
    CHECK(rpcs[0].status == Status::no_reply);
    CHECK(rpcs[0].timing.unanswered_ns == trace.at(6, -1) - trace.at(kFirstLine, 1));
    CHECK_FALSE(rpcs[0].timing.delivered_ns);
  }
}

TEST_CASE("retries: bounds: Calls that may be sent again") {
  for (const size_t count : {Retries::kMost - 1, Retries::kMost, Retries::kMost + 1}) {
    Retries retries;
    for (uint64_t key = 1; key <= count; ++key) {
      CHECK_FALSE(note(retries, key, key));
    }
    CHECK(note(retries, 1, count + 1).has_value() == (count <= Retries::kMost));
    CHECK(note(retries, count, count + 2).has_value());
  }
}

// Those that were answered take no place from others, however many.
TEST_CASE("retries: what was answered is forgotten") {
  Retries retries;
  note(retries, 1, 1);
  for (uint64_t key = 2; key < 4 * Retries::kMost; ++key) {
    note(retries, key, key);
    retries.forget(key, stamp_of(key));
  }
  const auto before = note(retries, 1, 99);
  REQUIRE(before);
  CHECK(before->first_ns == stamp_of(1).time_ns);
  CHECK(before->attempts == 1);
  retries.forget(1, stamp_of(1));  // of the attempt before: not over
  CHECK(note(retries, 1, 100)->attempts == 2);
}

TEST_CASE("retries: a connection has its number later") {
  Retries retries;
  track::Connection connection = connection_of(5, 0);
  note(retries, 1, 1, connection);
  CHECK(note(retries, 1, 2, connection)->latest.connection == 0u);
  CHECK(retries.number(5) == 0u);
  connection = connection_of(5, 7);
  retries.claim(connection);
  retries.claim(connection_of(6, 8));  // which has sent nothing before
  CHECK(retries.number(5) == 7u);
  CHECK(retries.number(6) == 0u);
  const auto before = note(retries, 1, 3, connection);
  CHECK(before->connection == 5);
  CHECK_FALSE(before->moved);  // the same one, before and after
  CHECK(note(retries, 1, 4, connection)->latest.connection == 7u);
  CHECK(note(retries, 1, 5, connection_of(6, 8))->moved);
}

TEST_CASE("retries: bounds: connections that are not claimed") {
  for (const size_t count :
       {Retries::kMostUnclaimed - 1, Retries::kMostUnclaimed, Retries::kMostUnclaimed + 1}) {
    Retries retries;
    for (uint64_t order = 1; order <= count; ++order) {
      note(retries, order, order, connection_of(order, 0));
    }
    retries.claim(connection_of(1, 1));
    retries.claim(connection_of(2, 2));
    CHECK(retries.number(1) == (count <= Retries::kMostUnclaimed ? 1u : 0u));
    CHECK(retries.number(2) == 2u);
  }
}

// A capture that begins in the middle: the first Call is seen before it is known what it is.
TEST_CASE("retries: on a later connection, where neither setup was captured") {
  const std::string middle = "connection one qpn=0x11/0x12\nconnection two qpn=0x21/0x22\npace 10us\n";
  const auto rpcs = [](const std::string& text) { return attempts(LinedTrace(text, Fabric::roce2)); };
  const std::string call = "client> call nfs3 GETATTR xid=5\n", reply = "server> reply xid=5 noack\n";
  const std::vector<TimedRpc> answered =
      rpcs(middle + "one." + call + "one." + reply + "two." + call + "two." + reply);
  REQUIRE(answered.size() == 2);
  check_no_retry(answered[0]);
  check_retry(answered[1], answered[0], 2);
  CHECK(answered[1].timing.retry_of->connection == 1u);
}
