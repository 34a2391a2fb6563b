// Calls that are sent again, on the same connection or a later one: one story, told with the last attempt.
#include "flow/retries.h"

#include "support/scenario_trace.h"
#include "support/timed.h"

using namespace steertag;
using namespace steertag::flow;
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

EarlierCall call_in(uint64_t number) {
  return {{}, stamp_of(number)};
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
      CHECK_FALSE(retries.note(key, call_in(key)));
    }
    CHECK(retries.note(1, call_in(count + 1)).has_value() == (count <= Retries::kMost));
    CHECK(retries.note(count, call_in(count + 2)).has_value());
  }
}

// Those that were answered take no place from others, however many.
TEST_CASE("retries: what was answered is forgotten") {
  Retries retries;
  retries.note(1, call_in(1));
  for (uint64_t key = 2; key < 4 * Retries::kMost; ++key) {
    retries.note(key, call_in(key));
    retries.forget(key, stamp_of(key));
  }
  const auto before = retries.note(1, call_in(99));
  REQUIRE(before);
  CHECK(before->first_ns == stamp_of(1).time_ns);
  CHECK(before->attempts == 1);
  retries.forget(1, stamp_of(1));  // of the attempt before: not over
  CHECK(retries.note(1, call_in(100))->attempts == 2);
}

TEST_CASE("retries: a connection has its number later") {
  Retries retries;
  retries.note(1, call_in(1));
  retries.name(1, {{7}, stamp_of(1)});
  retries.name(1, {{8}, stamp_of(2)});  // another Call
  CHECK(retries.note(1, call_in(3))->latest.connection == 7u);
}
