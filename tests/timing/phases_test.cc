// Where the time of an RPC went: 50 ms in each of its phases, and a loss of each of its packets, seen by a
// tap before or behind which it was lost. Then the time is in that phase, and its cause is who waited_on
// names.
#include "support/timed.h"

using namespace steertag;
using namespace steertag::flow;
using scenario::Fabric;
using support::LinedTrace;
using support::spent;
using support::TimedRpc;

namespace {

// Lines 1 to 4; the RPC begins at line 5. By then the round trip to either end is known.
const std::string kBegin = "pace 10us\nclient> connect\nclient> call nfs3 NULL xid=1\nserver> reply\n";
constexpr uint32_t kCall = 5, kXid = 2;
const std::string kRead = "client> call nfs3 READ write(@d 8192)\n";
const std::string kWrite = "client> call nfs3 WRITE read(@d 8192)\n";
const std::string kWait = "wait 50ms\n";

// The frame that ends the RPC: the last of all but the ACK, the first of the last line.
enum class End : uint8_t { before_last, first };

void check(const LinedTrace& trace, const std::string& expected, End end = End::before_last) {
  const TimedRpc rpc = trace.rpc(kXid);
  CHECK(rpc.status == Status::complete);
  CHECK(spent(rpc.timing) == expected);
  REQUIRE(rpc.timing.delivered_ns);
  const int64_t end_ns = trace.at(trace.lines.back(), end == End::first ? 1 : -2);
  CHECK(*rpc.timing.delivered_ns == end_ns - trace.at(kCall, 1));
  int64_t sum_ns = 0;
  for (const int64_t phase_ns : rpc.timing.phases_ns) {
    sum_ns += phase_ns;
  }
  CHECK(sum_ns == *rpc.timing.delivered_ns);
  CHECK(rpc.timing.recovery_ns <= sum_ns);
}

void check(const std::string& text, Fabric fabric, const std::string& expected, End end = End::before_last) {
  INFO(text << " on fabric " << static_cast<int>(fabric));
  check(LinedTrace(kBegin + text, fabric), expected, end);
}

void check_both(const std::string& text, const std::string& expected, End end = End::before_last) {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    check(text, fabric, expected, end);
  }
}

// first, middle, last
using Places = std::array<int, 3>;

// `line` has a %; each of these packets of it is lost.
void check_losses(const std::string& before, const std::string& line, const std::string& behind,
                  const std::string& how, const Places& roce, const Places& iwarp,
                  const std::string& expected) {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    for (const int packet : fabric == Fabric::roce2 ? roce : iwarp) {
      std::string faulty = line;
      faulty.replace(faulty.find('%'), 1, how + "(" + std::to_string(packet) + ") delay(again 50ms)");
      check(before + faulty + behind, fabric, expected);
    }
  }
}

}  // namespace

TEST_CASE("phases: nothing is slow, and all of it is latency") {
  for (const std::string& text :
       {kRead + "server> write @d\nserver> reply\n", kWrite + "server> read @d\nserver> reply\n",
        std::string("client> call nfs3 GETATTR\nserver> reply\n")}) {
    check_both(text, "(responder)");
  }
}

TEST_CASE("phases: the Responder takes its time") {
  check_both(kWrite + kWait + "server> read @d\nserver> reply\n", "start 50 (responder)");
  check_both(kRead + kWait + "server> write @d\nserver> reply\n", "serve 50 (responder)");
  check_both(kWrite + "server> read @d\n" + kWait + "server> reply\n", "serve 50 (responder)");
  check_both("client> call nfs3 GETATTR\n" + kWait + "server> reply\n", "serve 50 (responder)");
  check_both(kRead + "server> write @d\n" + kWait + "server> reply\n", "finish 50 (responder)");
  check("client> call nfs3 READ write(@d 8192) nak=rnr delay(again 50ms)\nserver> write @d\nserver> reply\n",
        Fabric::roce2, "call 50 (responder, 50 recovered)");
  check_both("client> call nfs3 READ\nserver> reply data=3800 delay(3 50ms)\n", "reply 50 (responder)");
}

TEST_CASE("phases: the Requester takes its time") {
  check_both(kWrite + "server> read @d delay(2 50ms)\nserver> reply\n", "read 50 (requester)");
  check(kRead + "server> write @d\nserver> reply nak=rnr delay(again 50ms)\n", Fabric::roce2,
        "reply 50 (requester, 50 recovered)");
  check_both("client> call nfs3 WRITE data=3800 delay(3 50ms)\nserver> reply\n", "call 50 (requester)");
}

TEST_CASE("phases: what an RNR NAK refuses is recovered, and a closed window refuses nothing") {
  const auto timing = [](const std::string& text, Fabric fabric) {
    return LinedTrace(kBegin + text, fabric).rpc(kXid).timing;
  };
  const std::string refused[] = {
      "client> call nfs3 READ write(@d 8192) nak=rnr delay(again 50ms)\nserver> write @d\nserver> reply\n",
      kRead + "server> write @d\nserver> reply nak=rnr delay(again 50ms)\n"};
  for (const std::string& text : refused) {
    for (const Fabric fabric : {Fabric::roce2, Fabric::roce1}) {
      const flow::Timing of = timing(text, fabric);
      CHECK(of.refused_ns / 1'000'000 == 50);
      CHECK(of.recovery_ns == of.refused_ns);
      CHECK(of.spent_ns[static_cast<size_t>(flow::WaitedOn::network)] == 0);
    }
  }
  const flow::Timing lost =
      timing(kRead + "server> write @d\nserver> reply resent(1) delay(again 50ms)\n", Fabric::roce2);
  CHECK(lost.recovery_ns / 1'000'000 == 50);
  CHECK(lost.refused_ns == 0);
  const flow::Timing closed = timing(
      kRead + "client> full\n" + kWait + "client> room\nserver> write @d\nserver> reply\n", Fabric::iwarp);
  CHECK(closed.recovery_ns == 0);
  CHECK(closed.refused_ns == 0);
}

TEST_CASE("phases: the receiver of TCP has no room") {
  const std::string wait = "client> full\n" + kWait + "client> room\n";
  check(kRead + wait + "server> write @d\nserver> reply\n", Fabric::iwarp, "serve 50 (requester)");
  check(kRead + "server> write @d\n" + wait + "server> reply\n", Fabric::iwarp, "finish 50 (requester)");
  check(kWrite + wait + "server> read @d\nserver> reply\n", Fabric::iwarp, "start 50 (requester)");
  // The server took longer than that.
  check(kRead + wait + kWait + "server> write @d\nserver> reply\n", Fabric::iwarp, "serve 100 (responder)");
  // It is its own room that the server lacks: it could have answered.
  check(kRead + "server> full\n" + kWait + "server> room\nserver> write @d\nserver> reply\n", Fabric::iwarp,
        "serve 50 (responder)");
}

TEST_CASE("phases: the data take their time") {
  check_both(kWrite + "server> read @d delay(4 50ms)\nserver> reply\n", "read 50 (data)");
  check_both(kRead + "server> write @d delay(3 50ms)\nserver> reply\n", "write 50 (data)");
}

TEST_CASE("phases: the larger part counts") {
  check_both(kRead + kWait + "server> write @d\nserver> reply resent(1) delay(again 80ms)\n",
             "serve 50 reply 80 (network, 80 recovered)");
  check_both(kRead + kWait + "server> write @d\nserver> reply resent(1) delay(again 20ms)\n",
             "serve 50 reply 20 (responder, 20 recovered)");
}

// --- lost behind the tap ---

TEST_CASE("phases: a Call is lost behind the tap") {
  check_losses("", kRead.substr(0, kRead.size() - 1) + " %\n", "server> write @d\nserver> reply\n", "resent",
               {1, 1, 1}, {1, 1, 1}, "call 50 (network, 50 recovered)");
  check_losses("", "client> call nfs3 WRITE data=3800 %\n", "server> reply\n", "resent", {1, 2, 4}, {1, 2, 3},
               "call 50 (network, 50 recovered)");
}

TEST_CASE("phases: a Read Request, a Read Response is lost behind the tap") {
  check_losses(kWrite, "server> read @d %\n", "server> reply\n", "resent", {1, 1, 1}, {1, 1, 1},
               "read 50 (network, 50 recovered)");
  check_losses(kWrite, "server> read @d %\n", "server> reply\n", "resent", {2, 5, 9}, {2, 4, 7},
               "read 50 (network, 50 recovered)");
}

TEST_CASE("phases: a Write is lost behind the tap") {
  check_losses(kRead, "server> write @d %\n", "server> reply\n", "resent", {1, 4, 8}, {1, 3, 6},
               "write 50 (network, 50 recovered)");
  // The Reply was sent behind it, and waits with it.
  check_losses(kRead, "server> burst %\n server> write @d\n server> reply\nend\n", "", "resent", {1, 4, 8},
               {1, 3, 6}, "reply 50 (network, 50 recovered)");
}

TEST_CASE("phases: a Reply is lost behind the tap") {
  check_losses(kRead + "server> write @d\n", "server> reply %\n", "", "resent", {1, 1, 1}, {1, 1, 1},
               "reply 50 (network, 50 recovered)");
  check_losses("client> call nfs3 READ\n", "server> reply data=3800 %\n", "", "resent", {1, 2, 4}, {1, 2, 3},
               "reply 50 (network, 50 recovered)");
}

// What is acknowledged was not waited for, although it is sent again.
TEST_CASE("phases: an ACK is lost behind the tap") {
  check_both("client> call nfs3 GETATTR resent(2) delay(again 50ms)\nserver> reply\n",
             "serve 50 (responder)");
  check_both("client> call nfs3 GETATTR\nserver> reply resent(2) delay(again 50ms)\n", "(responder)",
             End::first);
}

// The Responder is 50 us away. What it says 10 us after a second copy of the Call came by answers the first.
TEST_CASE("phases: a copy of the Call that the Responder cannot have had yet was not waited for") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    INFO("fabric " << static_cast<int>(fabric));
    const auto answered = [&](const std::string& wait) {
      const LinedTrace trace(
          "pace 100us\nclient> connect\nclient> call nfs3 NULL xid=1\nserver> reply\n"
          "client> call nfs3 GETATTR noack\nwait 50ms\npace 10us\nclient> call nfs3 GETATTR xid=2 again "
          "noack\n" +
              wait + "server> reply\n",
          fabric);
      return spent(trace.rpc(kXid).timing);
    };
    CHECK(answered("") == "serve 50 (responder)");
    CHECK(answered("wait 1ms\n") == "call 50 serve 1 (network, 50 recovered)");
  }
}

// The shortest round trip that was seen need not be the shortest there is.
TEST_CASE("phases: an acknowledgment a little sooner than any before belongs to the copy before it") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    INFO("fabric " << static_cast<int>(fabric));
    const LinedTrace trace(
        "pace 10us\nclient> connect\nclient> call nfs3 NULL xid=1\nserver> reply\n"
        "client> call nfs3 GETATTR noack\nwait 50ms\npace 7us\nclient> call nfs3 GETATTR xid=2 again\n"
        "wait 1ms\nserver> reply\n",
        fabric);
    CHECK(spent(trace.rpc(kXid).timing) == "call 50 serve 1 (network, 50 recovered)");
  }
}

// Its ACK is lost; that the Responder writes for it shows that it had the Call by then.
TEST_CASE("phases: a copy of the Call that comes after what the Responder did about it was not waited for") {
  const std::string call = "client> call nfs3 READ xid=2 write(@d 0x70:8192@0x1000) ";
  check(call + "noack\nserver> write @d omit(10)\n" + kWait + call +
            "again noack\nwait 1ms\nserver> reply omit(3)\n",
        Fabric::roce2, "finish 51 (responder)");
}

// --- lost before the tap ---

// The tap sees the rest of it, and a hole.
TEST_CASE("phases: part of a message is lost before the tap") {
  check_losses("", "client> call nfs3 WRITE data=3800 %\n", "server> reply\n", "lost", {1, 2, 3}, {1, 2, 2},
               "call 50 (network, 50 recovered)");
  check_losses("client> call nfs3 READ\n", "server> reply data=3800 %\n", "", "lost", {1, 2, 3}, {1, 2, 2},
               "reply 50 (network, 50 recovered)");
}

TEST_CASE("phases: a Read Response, a Write is lost before the tap") {
  check_losses(kWrite, "server> read @d %\n", "server> reply\n", "lost", {2, 5, 8}, {2, 4, 6},
               "read 50 (network, 50 recovered)");
  check_losses(kRead, "server> write @d %\n", "server> reply\n", "lost", {2, 4, 7}, {2, 3, 5},
               "write 50 (network, 50 recovered)");
  // Before the first Write nothing tells when it was sent, but that what follows it was seen.
  check_losses(kRead, "server> write @d %\n", "server> reply\n", "lost", {1, 1, 1}, {1, 1, 1},
               "serve 50 (network, 50 recovered)");
}

// No packet follows for 50 ms, so nothing was lost for all that is known: somebody was slow.
TEST_CASE("phases: what is lost last, before the tap, leaves no trace") {
  check("client> call nfs3 WRITE data=3800 lost(4) delay(again 50ms)\nserver> reply\n", Fabric::roce2,
        "call 50 (requester)");
  check_both("client> call nfs3 GETATTR lost delay(again 50ms)\nserver> reply\n", "(responder)");
  check_both(kWrite + "server> read @d lost(1) delay(again 50ms)\nserver> reply\n", "start 50 (responder)");
  check(kRead + "server> write @d lost(8) delay(again 50ms)\nserver> reply\n", Fabric::roce2,
        "write 50 (data)");
  check_both(kRead + "server> write @d\nserver> reply lost(1) delay(again 50ms)\n", "finish 50 (responder)");
}

// For all that the capture shows it was the message that was lost: the copy that was acknowledged is the
// second.
TEST_CASE("phases: an ACK is lost before the tap") {
  check_both("client> call nfs3 GETATTR lost(2) delay(again 50ms)\nserver> reply\n",
             "call 50 (network, 50 recovered)");
  check_both("client> call nfs3 GETATTR\nserver> reply lost(2) delay(again 50ms)\n",
             "reply 50 (network, 50 recovered)");
}

// --- how it is repaired ---

// After a NAK, RoCE sends again from what is missing; after a timeout, as well, and the tap sees no NAK.
TEST_CASE("phases: RoCE goes back without a NAK") {
  const std::string text =
      kBegin + "client> call nfs3 READ\nserver> reply data=3800 resent(2) delay(again 50ms)\n";
  LinedTrace trace(text, Fabric::roce2);
  const size_t nak = trace.lines.size() - 5;  // NAK, three packets, ACK
  REQUIRE(trace.trace.frames[nak].bytes[42] == 0x11);
  trace.erase(nak);
  check(trace, "reply 50 (network, 50 recovered)");
}

// A Call behind a lost one waits with it; on RoCE it is sent again, too.
TEST_CASE("phases: what follows a lost packet waits for it") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    for (const char* how : {"resent", "lost"}) {
      const LinedTrace trace(kBegin + "client> burst " + how +
                                 "(1) delay(again 50ms)\n client> call nfs3 GETATTR\n" +
                                 " client> call nfs3 ACCESS\nend\nserver> reply\nserver> reply\n",
                             fabric);
      CHECK(spent(trace.rpc(kXid + 1).timing) == "call 50 (network, 50 recovered)");
      // Whether the first had been sent before, no frame shows.
      CHECK(spent(trace.rpc(kXid).timing) ==
            (std::string_view(how) == "lost" ? "unknown" : "call 50 (network, 50 recovered)"));
    }
  }
}

// The receiver says that it had the first copy (RFC 2883).
TEST_CASE("phases: TCP sends again what had arrived") {
  const std::string text = kBegin + "client> call nfs3 GETATTR\nserver> reply lost(2) delay(again 50ms)\n";
  LinedTrace trace(text, Fabric::iwarp);
  check(trace, "reply 50 (network, 50 recovered)");
  const std::vector<uint8_t> reply = trace.trace.frames[trace.lines.size() - 2].bytes;
  const uint32_t begin = support::word_at(reply, 38);
  const auto length = static_cast<uint32_t>(reply.size() - 54);
  LinedTrace ahead = trace;
  ahead.acknowledge(trace.lines.size() - 1, begin + length + 100,
                    begin + length + 200);  // that is no report of it
  check(ahead, "reply 50 (network, 50 recovered)");
  trace.acknowledge(trace.lines.size() - 1, begin, begin + length);
  check(trace, "(responder)", End::first);
}

// Nobody can have missed what comes a little later than what follows it.
TEST_CASE("phases: the network changes the order") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const LinedTrace trace(
        kBegin + "client> burst swap(1)\n client> call nfs3 GETATTR\n client> call nfs3 ACCESS\n" +
            "end\nserver> reply\nserver> reply\n",
        fabric);
    CHECK(spent(trace.rpc(kXid).timing) == "(responder)");
    CHECK(spent(trace.rpc(kXid + 1).timing) == "(responder)");
    const LinedTrace within(kBegin + "client> call nfs3 WRITE data=3800 swap(2)\nserver> reply\n", fabric);
    CHECK(spent(within.rpc(kXid).timing) == "(responder)");
  }
}

TEST_CASE("phases: a Reply that nobody acknowledged has no times") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const LinedTrace trace(kBegin + "client> call nfs3 GETATTR\nserver> reply noack\n", fabric);
    const TimedRpc rpc = trace.rpc(kXid);
    CHECK(rpc.status == Status::complete);
    CHECK(spent(rpc.timing) == "unknown");
    CHECK_FALSE(rpc.timing.unanswered_ns);
  }
}

TEST_CASE("phases: where frames are missing from the capture there are no times") {
  for (const Fabric fabric : {Fabric::roce2, Fabric::iwarp}) {
    const LinedTrace trace(kBegin + kRead + "server> write @d missing(3)\nserver> reply\n", fabric);
    CHECK(spent(trace.rpc(kXid).timing) == "unknown");
  }
}
