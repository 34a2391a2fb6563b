// When a receiver had what was sent to it, and how long it waited for what was late; the time at the limit of
// credits; and the bounds of what is remembered for either.
#include "timing/acceptance.h"

#include "support/timed.h"
#include "timing/credit_clock.h"
#include "timing/timekeeper.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::rpc;
using namespace steertag::timing;
using support::LinedTrace;
using support::TimedRpc;

namespace {

// A sender whose pieces are ten long; frame n comes at n us.
struct Sender {
  Acceptance acceptance;
  uint64_t frame = 0;

  Stamp next() {
    ++frame;
    return {.number = frame, .time_ns = static_cast<int64_t>(frame) * 1000};
  }
  void fresh() { acceptance.fresh(next()); }
  // Late: what lies at `begin`. A piece that was not seen before is fresh in the same frame.
  void late(uint64_t begin, bool again, std::optional<uint64_t> since = {}) {
    rdma::Late late;
    late.begin = begin;
    late.again = again;
    late.at = next();
    if (since) {
      late.since = Stamp{.number = *since, .time_ns = static_cast<int64_t>(*since) * 1000};
    }
    acceptance.late(late);
    if (!again) {
      acceptance.fresh(late.at);
    }
  }
  // In us; -1: not known.
  int64_t complete(uint64_t end, int64_t seen, int64_t known = INT64_MAX / 1000) const {
    return acceptance.complete_ns(end, seen * 1000, known * 1000).value_or(-1000) / 1000;
  }
  int64_t lost(int64_t from, int64_t to) const {
    return acceptance.waiting().waits(from * 1000, to * 1000).lost_ns / 1000;
  }
};

}  // namespace

TEST_CASE_METHOD(Sender, "acceptance: what nothing was late of was accepted when it was seen") {
  fresh();
  CHECK(complete(10, 1) == 1);
  CHECK(lost(0, 100) == 0);
}

TEST_CASE_METHOD(Sender, "acceptance: what is late holds up all that follows, and nothing before") {
  for (int i = 0; i < 4; ++i) {
    fresh();  // 0, 10, 20, 30
  }
  late(10, true, 2);  // frame 5
  CHECK(complete(10, 1) == 1);
  CHECK(complete(20, 2) == 5);
  CHECK(complete(40, 4) == 5);
  CHECK(complete(40, 4, 4) == 4);  // it was known to be there before
  late(20, true, 3);               // frame 6: goes on from there
  CHECK(complete(20, 2) == 5);
  CHECK(complete(30, 3) == 6);
  CHECK(complete(40, 4) == 6);
  CHECK(complete(40, 4, 5) == 5);
  CHECK(lost(0, 100) == 4);  // frames 2 to 6
  CHECK(lost(3, 5) == 2);
  CHECK(lost(6, 100) == 0);
}

TEST_CASE_METHOD(Sender, "acceptance: what was accepted is not waited for") {
  fresh();
  fresh();
  acceptance.accept(20);
  late(10, true, 2);
  CHECK(complete(20, 2) == 2);
  CHECK(lost(0, 100) == 0);
  fresh();
  late(20, true, 4);
  acceptance.accept(30);
  CHECK(complete(30, 4) == 5);  // that it was late is still known
}

TEST_CASE_METHOD(Sender, "acceptance: what was received twice was not waited for") {
  for (int i = 0; i < 3; ++i) {
    fresh();
  }
  late(10, true, 2);
  SECTION("the late piece alone") {
    acceptance.received_twice(10, 20);
    CHECK(complete(30, 3) == 3);
    CHECK(lost(0, 100) == 0);
  }
  SECTION("something else") {
    acceptance.received_twice(0, 10);
    acceptance.received_twice(11, 20);
    acceptance.received_twice(20, 10);
    CHECK(complete(30, 3) == 4);
    CHECK(lost(0, 100) == 2);
  }
  SECTION("another was lost before, and came") {
    fresh();
    late(20, true, 3);
    acceptance.received_twice(20, 30);
    CHECK(complete(30, 3) == 4);
    CHECK(lost(0, 100) == 2);
  }
}

TEST_CASE_METHOD(Sender, "acceptance: a frame is late while nothing comes in its turn") {
  fresh();
  late(30, false);  // frame 2
  CHECK(acceptance.was_late({.number = 2}));
  CHECK_FALSE(acceptance.was_late({.number = 1}));
  CHECK_FALSE(acceptance.was_late({.number = 2, .file = 1}));
  CHECK_FALSE(acceptance.was_late({.number = 2, .tap = Stamp::tap_of(1, 0)}));
  CHECK(acceptance.was_late({.number = 9, .file = 1, .time_ns = 2000}));  // the capture goes on
  late(10, true);                                                         // frame 3
  CHECK(acceptance.was_late({.number = 2}));
  CHECK(acceptance.was_late({.number = 3}));
  CHECK_FALSE(acceptance.was_late({.number = 4}));
  fresh();
  CHECK_FALSE(acceptance.was_late({.number = 3}));
}

TEST_CASE_METHOD(Sender, "acceptance: who has no room does not wait for the network") {
  fresh();
  acceptance.waiting().refused(1000);
  late(0, true, 1);  // frame 2
  CHECK(acceptance.waiting().waits(0, 9000).lost_ns == 0);
  CHECK(acceptance.waiting().waits(0, 9000).refused_ns == 1000);
}

TEST_CASE_METHOD(Sender, "acceptance: a clock that goes back makes nothing negative") {
  fresh();
  rdma::Late late;
  late.at = {.number = 9, .time_ns = -5000};
  late.since = Stamp{.number = 8, .time_ns = 7000};
  acceptance.late(late);
  CHECK(acceptance.waiting().waits(INT64_MIN / 2, INT64_MAX / 2).lost_ns >= 0);
  CHECK(complete(10, 1) == 1);
}

// Half a round trip after its first copy, behind a packet that was lost.
TEST_CASE("acceptance: what RoCE sends again with a lost packet counts, however soon") {
  for (const auto transport : {rdma::Transport::roce2, rdma::Transport::iwarp}) {
    track::Connection connection;
    connection.transport = transport;
    connection.end(rdma::Side::b).rtt_ns = 100'000;
    Transit transit(connection);
    const auto again = [&](uint64_t begin, int64_t since_ns, uint64_t frame, int64_t at_ns) {
      rdma::Late late;
      late.begin = begin;
      late.again = true;
      late.since = Stamp{.number = 1, .time_ns = since_ns};
      late.at = {.number = frame, .time_ns = at_ns};
      transit.on_late(late);
    };
    const Acceptance& sent = transit.sent(rdma::Side::a);
    again(40, 100'000, 9, 150'000);  // nothing was lost before: the network made two of it
    CHECK(sent.complete_ns(41, 100'000) == 100'000);
    again(10, 0, 10, 200'000);
    again(50, 150'000, 11, 201'000);
    CHECK(sent.complete_ns(11, 0) == 200'000);
    CHECK(sent.complete_ns(51, 150'000) == (transport == rdma::Transport::iwarp ? 200'000 : 201'000));
  }
}

TEST_CASE_METHOD(Sender, "acceptance: the frame with which all was there") {
  for (int i = 0; i < 4; ++i) {
    fresh();  // 0, 10, 20, 30 in frames 1 to 4
  }
  const auto with = [&](uint64_t end, uint64_t seen, int64_t known = INT64_MAX / 1000) {
    const Stamp at{.number = seen, .time_ns = static_cast<int64_t>(seen) * 1000};
    return acceptance.complete(end, at, known * 1000)->number;
  };
  CHECK(with(10, 1) == 1);
  late(10, true);  // in frame 5
  late(20, true);
  CHECK(with(10, 1) == 1);
  CHECK(with(20, 2) == 5);
  CHECK(with(30, 3) == 6);
  CHECK(with(30, 3, 5) == 5);  // what came later does not count
  CHECK(with(30, 9) == 9);     // its own last piece came later still
}

// --- bounds ---

TEST_CASE("acceptance: bounds: late pieces") {
  for (const size_t count : {Acceptance::kMaxLate - 1, Acceptance::kMaxLate, Acceptance::kMaxLate + 1}) {
    Sender sender;
    for (uint64_t i = 0; i < count; ++i) {
      sender.late(10 * i, true, 1);
    }
    const bool all = count <= Acceptance::kMaxLate;
    CHECK(sender.complete(10, 0) == (all ? 1 : -1));  // the oldest is forgotten: not known
    CHECK(sender.complete(20, 0) == 2);
    CHECK(sender.complete(10 * count, 0) == static_cast<int64_t>(count));
  }
  Sender sender;
  for (uint64_t i = 0; i < 100 * Acceptance::kMaxLate; ++i) {
    sender.late(10 * i, true, 1);
  }
  CHECK(sender.acceptance.bytes() <= 4 * Acceptance::kMaxLate * 16 + 64 * Waiting::kMaxEpisodes);
}

TEST_CASE("acceptance: bounds: times of waiting") {
  for (const size_t count : {Waiting::kMaxEpisodes - 1, Waiting::kMaxEpisodes, Waiting::kMaxEpisodes + 1}) {
    Sender sender;
    for (uint64_t i = 0; i < count; ++i) {
      sender.fresh();
      sender.late(10 * i, true);  // 1 us after what came in its turn
    }
    CHECK(sender.lost(0, 10000) == static_cast<int64_t>(std::min(count, Waiting::kMaxEpisodes)));
  }
}

// Replies that are acknowledged only at the end: the oldest of too many have no times.
TEST_CASE("acceptance: bounds: Exchanges whose Reply was not acknowledged") {
  constexpr uint8_t kAck = 0x11;  // opcode of RoCE
  constexpr size_t kMost = Unacknowledged::kMaxKept;
  for (const size_t count : {kMost - 1, kMost, kMost + 1}) {
    LinedTrace trace("pace 10us\nclient> connect\nrepeat " + std::to_string(count) +
                         "\n client> call nfs3 NULL\n server> reply\nend\n",
                     scenario::Fabric::roce2);
    const std::vector<uint8_t> last = trace.trace.frames.back().bytes;  // the client's ACK
    auto& frames = trace.trace.frames;
    const auto from_client = [&](const support::TraceFrame& frame) {
      return support::word_at(frame.bytes, 26) == support::word_at(last, 26) && frame.bytes[42] == kAck &&
             frame.bytes != last;
    };
    frames.erase(std::remove_if(frames.begin(), frames.end(), from_client), frames.end());
    size_t reported = 0, timed = 0;
    for (const TimedRpc& rpc : trace.rpcs()) {
      ++reported;
      timed += rpc.timing.delivered_ns.has_value();
    }
    CHECK(reported == count);
    CHECK(timed == std::min(count, kMost));
  }
}

TEST_CASE_METHOD(Sender, "acceptance: an outage is the longest time of sending the same again, in vain") {
  fresh();
  fresh();
  CHECK(acceptance.outage().repeated == 0);
  late(10, true, 2);  // frame 3
  CHECK(acceptance.outage().repeated == 1);
  late(20, true);  // goes on from there
  CHECK(acceptance.outage().repeated == 1);
  late(10, true);  // frame 5: from the beginning again
  late(0, true);   // and from before
  CHECK(acceptance.outage().repeated == 3);
  CHECK(acceptance.outage().since.number == 2);
  CHECK(acceptance.outage().length_ns == 4'000);
  fresh();  // frame 7: it got through
  late(30, true, 7);
  CHECK(acceptance.outage().repeated == 3);  // this one is shorter
  acceptance.accept(50);
  for (int i = 0; i < 9; ++i) {
    late(30, true);  // nobody waits for it
  }
  CHECK(acceptance.outage().length_ns == 4'000);
}

TEST_CASE_METHOD(Sender, "acceptance: it is no outage where the peer had no room") {
  fresh();
  acceptance.waiting().refused(1'500);
  late(0, true, 1);
  late(0, true);
  CHECK(acceptance.outage().repeated == 0);
}

// --- credits ---

TEST_CASE("credit clock: the time at the limit, since the Call before") {
  CreditClock clock;
  CHECK_FALSE(clock.on_call(0));  // nothing was granted yet
  CHECK_FALSE(clock.total_ns());
  clock.outstanding(1, 0);
  clock.grant(2);
  clock.outstanding(0, 10);
  CHECK(clock.on_call(20) == 0);
  clock.outstanding(1, 20);
  CHECK(clock.on_call(30) == 0);
  clock.outstanding(2, 30);  // as many as were granted
  clock.outstanding(1, 70);  // a Reply
  CHECK(clock.on_call(75) == 40);
  clock.outstanding(2, 75);
  CHECK(clock.on_call(80) == 5);  // beyond the grant
  clock.outstanding(3, 80);
  clock.outstanding(2, 90);
  clock.outstanding(1, 95);
  CHECK(clock.on_call(100) == 15);
  CHECK(clock.total_ns() == 60);
}

TEST_CASE("credit clock: what is not known is not counted") {
  CreditClock clock;
  clock.grant(1);
  clock.grant(0);  // is no grant
  CHECK(clock.on_call(10) == 0);
  clock.outstanding(std::nullopt, 10);
  CHECK_FALSE(clock.on_call(20));  // since then the capture may hide Calls
  clock.outstanding(1, 20);
  CHECK(clock.on_call(50) == 30);
  clock.outstanding(2, 50);
  CHECK(clock.on_call(40) == 0);  // the clock went back
  CHECK(clock.total_ns() == 30);
}

TEST_CASE("room: what was sent as soon as there was some had waited for it") {
  Sender sender;
  sender.acceptance.waiting().on_room(true, 1'000'000);  // it always had
  CHECK(sender.acceptance.waiting().shut_ns(0, 1'000'000) == 0);
  sender.acceptance.waiting().on_room(false, 2'000'000);
  CHECK(sender.acceptance.waiting().shut_ns(0, 3'000'000) == 0);  // it has none yet
  sender.acceptance.waiting().on_room(true, 5'000'000);
  CHECK(sender.acceptance.waiting().shut_ns(0, 5'000'000) == 3'000'000);
  CHECK(sender.acceptance.waiting().shut_ns(4'000'000, 5'999'999) == 1'000'000);
  CHECK(sender.acceptance.waiting().shut_ns(0, 6'000'000) == 0);          // too late for that
  CHECK(sender.acceptance.waiting().shut_ns(0, 4'999'999) == 0);          // before there was room
  CHECK(sender.acceptance.waiting().shut_ns(5'500'000, 5'900'000) == 0);  // it began after that
  const Waits waits = sender.acceptance.waiting().waits(0, 10'000'000);
  CHECK(waits.refused_ns == 3'000'000);
  CHECK(waits.lost_ns == 0);
  sender.acceptance.waiting().on_room(true, 9'000'000);  // nothing new
  CHECK(sender.acceptance.waiting().waits(0, 10'000'000).refused_ns == 3'000'000);
}

TEST_CASE(
    "room: what is lost behind is not counted twice, and a duplicate of what is late takes only that back") {
  Sender sender;
  sender.acceptance.waiting().on_room(false, 1000);
  sender.acceptance.waiting().on_room(true, 9000);
  sender.frame = 9;
  sender.late(10, true, 5);  // in frame 10, waited for since frame 5
  const Waits waits = sender.acceptance.waiting().waits(0, 20'000);
  CHECK(waits.refused_ns == 8000);
  CHECK(waits.lost_ns == 1000);
  sender.acceptance.received_twice(0, 100);
  CHECK(sender.acceptance.waiting().waits(0, 20'000).lost_ns == 0);
  CHECK(sender.acceptance.waiting().waits(0, 20'000).refused_ns == 8000);
}

TEST_CASE("room: what goes on to be late after it is waited for anew") {
  Sender sender;
  sender.frame = 4;
  sender.late(10, true, 1);  // frame 5
  sender.acceptance.waiting().on_room(false, 5000);
  sender.acceptance.waiting().on_room(true, 8000);
  sender.frame = 9;
  sender.late(20, true);  // frame 10
  const Waits waits = sender.acceptance.waiting().waits(0, 20'000);
  CHECK(waits.refused_ns == 3000);
  CHECK(waits.lost_ns == 4000 + 2000);
}
