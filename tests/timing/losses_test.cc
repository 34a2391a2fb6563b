// What was lost, from what came late, what a receiver said of it, and what it acknowledged.
#include "timing/losses.h"

#include <catch2/catch.hpp>

#include "timing/loss_link.h"

using namespace steertag;
using namespace steertag::timing;
using namespace steertag::timing::test;

TEST_CASE("losses: after a NAK all goes again, and one packet was lost for certain") {
  Link link;
  const Stamp first = link.sent(10);
  const Stamp second = link.sent(11);
  const Stamp third = link.sent(12);
  const Stamp nak = link.nak(11);
  const Stamp again = link.again(11, second);
  link.again(12, third);
  link.accepts(13);
  CHECK(link.hears.all.empty());  // more of it may go again
  link.sent(13);
  REQUIRE(link.all().size() == 1);
  const Loss& loss = link.all().front();
  CHECK(loss.first == 11);
  CHECK(loss.packets == 1);
  CHECK(loss.bytes == 100);
  CHECK(loss.where == Loss::Where::after_tap);
  CHECK(loss.noticed_by == Loss::NoticedBy::nak);
  CHECK(loss.noticed == nak);
  CHECK(loss.sent == second);
  CHECK(loss.resent == again);
  CHECK(loss.resent_packets == 2);
  CHECK(loss.delay_ns() == 3 * kMs);
  CHECK(first.number == 1);
}

TEST_CASE("losses: a NAK that nobody acts upon was lost itself, and a timer ran out") {
  Link link;
  const Stamp first = link.sent(10);
  const Stamp second = link.sent(11);
  const Stamp nak = link.nak(10);
  link.again(10, first, 500 * kMs);
  link.again(11, second);
  link.accepts(12);
  REQUIRE(link.all().size() == 1);
  const Loss& loss = link.all().front();
  CHECK(loss.noticed_by == Loss::NoticedBy::timeout);
  CHECK(loss.noticed == nak);
  CHECK(loss.timer_ns == 501 * kMs);
  CHECK(loss.packets == 1);  // what followed it was discarded
}

TEST_CASE("losses: what was not seen before was lost in front of the tap, packet by packet") {
  Link link;
  link.sent(10);
  const Stamp shows = link.now();
  link.nak(11);
  link.unseen(11, shows);
  link.unseen(12, shows);
  link.again(13, shows);
  link.accepts(14);
  REQUIRE(link.all().size() == 1);
  CHECK(link.all().front().where == Loss::Where::before_tap);
  CHECK(link.all().front().packets == 2);
  CHECK(link.all().front().resent_packets == 3);
  CHECK_FALSE(link.all().front().sent);
}

TEST_CASE("losses: a copy that is lost, too, is another loss, and both last until one gets through") {
  Link link;
  const Stamp first = link.sent(10);
  link.again(10, first, 500 * kMs);
  link.again(10, first, 1000 * kMs);
  link.accepts(11);
  REQUIRE(link.all().size() == 2);
  CHECK(link.all()[0].timer_ns == 500 * kMs);
  CHECK(link.all()[1].timer_ns == 1000 * kMs);
  for (const Loss& loss : link.all()) {
    CHECK(loss.noticed_by == Loss::NoticedBy::timeout);
    CHECK(loss.delay_ns() == 1500 * kMs);
  }
}

TEST_CASE("losses: an acknowledgment a little sooner than any before belongs to the copy before it") {
  Link link;
  const int64_t trip_ns = *link.connection.end(Side::b).rtt_ns;
  const Stamp first = link.sent(10);
  link.again(10, first, 500 * kMs);
  const Stamp last = link.again(10, first, 1000 * kMs);
  link.accepts(11, trip_ns - 1);
  REQUIRE(link.all().size() == 2);
  for (const Loss& loss : link.all()) {
    CHECK(loss.accepted == last);
    CHECK(loss.packets == 1);
  }
  for (const bool soon : {false, true}) {  // too soon for that copy, or not long behind the one before
    Link other;
    const Stamp sent = other.sent(10);
    const Stamp once = other.again(10, sent, 500 * kMs);
    other.again(10, sent, soon ? 500 * kMs : 10 * trip_ns);
    other.accepts(11, soon ? trip_ns * 3 / 4 - 1 : trip_ns - 1);
    REQUIRE(other.all().size() == 2);
    CHECK(other.all()[0].accepted == once);
  }
}

TEST_CASE("losses: an acknowledgment behind a NAK belongs to what was sent again for that") {
  Link link;
  const Stamp first = link.sent(10);
  link.sent(11);
  link.nak(10);
  const Stamp again = link.again(10, first);
  link.accepts(11, kMs / 100);
  REQUIRE(link.all().size() == 1);
  CHECK(link.all().front().accepted == again);
  CHECK(link.all().front().packets == 1);
  CHECK(link.all().front().delay_ns() == 3 * kMs);
}

TEST_CASE("losses: what nobody accepted has no delay") {
  Link link;
  const Stamp first = link.sent(10);
  link.again(10, first, 500 * kMs);
  REQUIRE(link.all().size() == 1);
  CHECK_FALSE(link.all().front().accepted);
  CHECK_FALSE(link.all().front().delay_ns());
}

TEST_CASE("losses: a timeout sends all again that was not acknowledged") {
  Link link;
  const Stamp first = link.sent(10);
  const Stamp second = link.sent(11);
  link.again(10, first, 500 * kMs);
  link.again(11, second);
  link.accepts(12);
  REQUIRE(link.all().size() == 1);
  CHECK(link.all().front().packets == 2);
  CHECK(link.all().front().bytes == 200);
}

TEST_CASE("losses: an RNR NAK names its timer, and nothing was lost on the way") {
  Link link;
  const Stamp first = link.sent(10);
  link.nak(10, rdma::Fault::Kind::rnr, 14);
  link.again(10, first);
  link.nak(10, rdma::Fault::Kind::rnr, 0);
  link.again(10, first);
  link.accepts(11);
  REQUIRE(link.all().size() == 2);
  CHECK(link.all()[0].timer_ns == 1'280'000);
  CHECK(link.all()[1].timer_ns == 655'360'000);
  CHECK(link.all()[0].where == Loss::Where::receiver);
  CHECK(link.all()[0].noticed_by == Loss::NoticedBy::rnr_nak);
}

TEST_CASE("losses: what the tap saw acknowledged is sent again since the acknowledgment was lost") {
  Link link;
  const Stamp first = link.sent(10);
  link.accepts(11);
  const Stamp acknowledged{.number = link.frame, .time_ns = link.time_ns};
  link.again(10, first, 500 * kMs);
  link.accepts(11);
  REQUIRE(link.all().size() == 1);
  const Loss& loss = link.all().front();
  CHECK(loss.what == Loss::What::ack);
  CHECK(loss.from == Side::b);
  CHECK(loss.first == 10);
  CHECK(loss.sent == acknowledged);
  CHECK(loss.packets == 1);
  CHECK(loss.bytes == 0);
}

TEST_CASE("losses: an acknowledgment that was on its way is not lost") {
  Link link;
  const Stamp first = link.sent(10);
  link.accepts(11);
  link.again(10, first, kMs / 20);
  REQUIRE(link.all().size() == 1);
  CHECK(link.all().front().what == Loss::What::data);
  CHECK(link.all().front().packets == 0);
}

TEST_CASE("losses: where its peer's packets are lost in front of the tap, a timeout does not say where") {
  Link link;
  rdma::Late late;
  late.from = Side::b;
  late.begin = 5;
  late.end = 6;
  late.since = link.now();
  late.at = link.now();
  link.losses.late(late, false);
  const Stamp first = link.sent(10);
  link.again(10, first, 500 * kMs);
  link.accepts(11);
  REQUIRE(link.all().size() == 2);
  CHECK(link.all()[0].where == Loss::Where::unknown);
  CHECK(link.all()[1].where == Loss::Where::before_tap);
}

TEST_CASE("losses: TCP's receiver tells of several holes at once, and each is a loss") {
  Link link(rdma::Transport::iwarp);
  const Stamp first = link.sent(1000);
  link.sent(1100);
  const Stamp third = link.sent(1200);
  const Stamp told = link.acknowledges_again(1000);
  link.again(1000, first);
  link.again(1200, third);
  link.accepts(1300);
  REQUIRE(link.all().size() == 2);
  for (const Loss& loss : link.all()) {
    CHECK(loss.noticed_by == Loss::NoticedBy::duplicate_acks);
    CHECK(loss.noticed == told);
    CHECK(loss.packets == 1);
  }
}

TEST_CASE("losses: what TCP's receiver had already was sent again without need") {
  Link link(rdma::Transport::iwarp);
  const Stamp first = link.sent(1000);
  link.again(1000, first, 10 * kMs);
  link.losses.received_twice(Side::b, 1000, 1100);
  link.accepts(1100);
  REQUIRE(link.all().size() == 1);
  CHECK(link.all().front().packets == 0);
  CHECK(link.all().front().what == Loss::What::data);
}

TEST_CASE("losses: after so long its acknowledgment was lost, in front of the tap") {
  Link link(rdma::Transport::iwarp);
  const Stamp first = link.sent(1000);
  link.again(1000, first, 200 * kMs);
  link.losses.received_twice(Side::b, 1000, 1100);
  link.accepts(1100);
  REQUIRE(link.all().size() == 1);
  CHECK(link.all().front().what == Loss::What::ack);
  CHECK(link.all().front().where == Loss::Where::before_tap);
  CHECK(link.all().front().from == Side::b);
  CHECK(link.all().front().first == 1100);
}

TEST_CASE("losses: what TCP's network has overtaken, and what probes a connection, is none") {
  Link link(rdma::Transport::iwarp);
  const Stamp shows = link.sent(1100);
  link.unseen(1000, shows);
  rdma::Late probe = link.late(1099, shows, kMs);
  probe.again = true;
  probe.bytes = 1;
  link.losses.late(probe, false);
  CHECK(link.all().empty());
}

TEST_CASE("losses: those of a connection that is not claimed yet are reported when it is, the latest") {
  Link link;
  link.connection.rpcrdma = false;
  const size_t count = Losses::kMaxUnclaimed + 1;
  for (size_t i = 0; i < count; ++i) {
    const Stamp first = link.sent(10 + i);
    link.again(10 + i, first, 500 * kMs);
    link.accepts(11 + i);
  }
  link.losses.finish();
  CHECK(link.hears.all.empty());
  link.connection.rpcrdma = true;
  const Stamp first = link.sent(1000);
  link.again(1000, first, 500 * kMs);
  REQUIRE(link.all().size() == count);
  CHECK(link.all().front().first == 11);  // the first is forgotten
}

TEST_CASE("losses: of those that nobody accepts, the oldest are reported as they are") {
  Link link;
  const Stamp first = link.sent(10);
  for (size_t i = 0; i <= LossRuns::kMaxOpen; ++i) {
    link.again(10, first, 500 * kMs);
  }
  CHECK(link.hears.all.size() == 1);
  CHECK(link.all().size() == LossRuns::kMaxOpen + 1);
  CHECK(link.losses.bytes() < 64 << 10);
}

TEST_CASE("losses: with one direction captured nobody can say what told the sender, nor where it was lost") {
  Link link;
  link.connection.other_end_heard = false;
  const Stamp first = link.sent(10);
  link.again(10, first, 500 * kMs);
  REQUIRE(link.all().size() == 1);
  const Loss& loss = link.all().front();
  CHECK_FALSE(loss.noticed_by);
  CHECK_FALSE(loss.timer_ns);
  CHECK(loss.where == Loss::Where::unknown);
}

TEST_CASE("losses: what an RNR NAK refused and nobody sent again is one, too") {
  Link link;
  link.sent(10);
  const Stamp first = link.sent(11);
  const Stamp nak = link.nak(11, rdma::Fault::Kind::rnr, 12);
  const Stamp again = link.again(11, first);
  const Stamp last = link.nak(11, rdma::Fault::Kind::rnr, 12);
  REQUIRE(link.all().size() == 2);
  const Loss &repeated = link.all()[0].resent ? link.all()[0] : link.all()[1],
             &left = link.all()[0].resent ? link.all()[1] : link.all()[0];
  CHECK(repeated.noticed == nak);
  CHECK(repeated.resent == again);
  CHECK(left.noticed == last);
  CHECK(left.noticed_by == Loss::NoticedBy::rnr_nak);
  CHECK(left.where == Loss::Where::receiver);
  CHECK(left.sent == first);
  CHECK(left.packets == 1);
  CHECK(left.bytes == 100);
  CHECK_FALSE(left.resent);
}

TEST_CASE("losses: what an RNR NAK refused is one, whatever the next NAK says") {
  Link link;
  const Stamp first = link.sent(10);
  link.nak(10, rdma::Fault::Kind::rnr, 12);
  link.nak(10, rdma::Fault::Kind::rnr, 12);
  REQUIRE(link.all().size() == 2);
  CHECK(link.all().front().sent == first);
}
