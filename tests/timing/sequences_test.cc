// Sequence numbers over time, for a chart: what is kept where, how it is thinned out, and what is not.
#include "timing/sequences.h"

#include <catch2/catch.hpp>

using namespace steertag;
using namespace steertag::timing;
using rdma::Side;
using What = Sequences::What;

namespace {

constexpr uint64_t kFirst = 1 << 24;  // as RoCE counts its places from

Stamp at_ms(int64_t ms) {
  return {.number = static_cast<uint64_t>(ms) + 1, .time_ns = ms * 1'000'000};
}

void send(Sequences& to, rdma::OpKind kind, Side from, uint64_t end, int64_t ms) {
  const Stamp at = at_ms(ms);
  rdma::RdmaOp op;
  op.kind = kind;
  op.from = from;
  op.end_position = end;
  op.frames = {&at, 1};
  to.sent(op);
}

rdma::Late late_at(uint64_t place, int64_t ms, bool again) {
  rdma::Late late;
  late.begin = place;
  late.end = place + 1;
  late.number = static_cast<uint32_t>(place - kFirst + 0xfffffe) & 0xffffff;
  late.bytes = 100;
  late.again = again;
  late.at = at_ms(ms);
  return late;
}

TEST_CASE("Sequences: RoCE numbers Read Responses as who asks for them") {
  Sequences sequences(rdma::Transport::roce2);
  send(sequences, rdma::OpKind::send, Side::a, kFirst + 1, 0);
  send(sequences, rdma::OpKind::read_response, Side::b, kFirst + 2, 1);
  sequences.accepted(Side::b, kFirst + 1, at_ms(2));
  CHECK(sequences.track(Side::a, What::sent).points().front().place == kFirst);
  CHECK(sequences.track(Side::a, What::read_response).points().front().place == kFirst + 1);
  CHECK(sequences.track(Side::a, What::acknowledged).points().front().place == kFirst + 1);
  CHECK(sequences.track(Side::b, What::sent).all() == 0);
  CHECK(sequences.troubles() == 0);
  CHECK_FALSE(sequences.number_of(Side::a, kFirst));
}

TEST_CASE("Sequences: iWARP has places in the stream of who sends") {
  Sequences sequences(rdma::Transport::iwarp);
  send(sequences, rdma::OpKind::read_response, Side::b, 4000, 1);
  CHECK(sequences.track(Side::b, What::sent).points().front().place == 4000);
  rdma::Late probe = late_at(3999, 2, true);
  probe.from = Side::b;
  probe.bytes = 1;
  sequences.late(probe);
  CHECK(sequences.troubles() == 0);
  probe.bytes = 1000;
  probe.number = 0xffffffff;
  sequences.late(probe);
  CHECK(sequences.troubles() == 1);
  CHECK(sequences.number_of(Side::b, 4001) == 1u);
}

TEST_CASE("Sequences: what is late, refused or lost has a kind each, and tells the numbers") {
  Sequences sequences(rdma::Transport::roce2);
  sequences.late(late_at(kFirst + 3, 1, true));
  sequences.late(late_at(kFirst + 4, 2, false));
  rdma::Fault fault;
  fault.from = Side::b;
  fault.place = kFirst + 5;
  fault.at = at_ms(3);
  sequences.fault(fault);
  fault.kind = rdma::Fault::Kind::rnr;
  sequences.fault(fault);
  fault.kind = rdma::Fault::Kind::terminate;
  sequences.fault(fault);
  flow::Loss loss;
  loss.place = kFirst + 3;
  loss.packets = 4;
  sequences.lost(loss);
  loss.what = flow::Loss::What::ack;
  sequences.lost(loss);
  loss.where = flow::Loss::Where::receiver;
  sequences.lost(loss);
  loss.where = flow::Loss::Where::after_tap;
  loss.packets = 0;
  sequences.lost(loss);
  for (const What what :
       {What::sent_again, What::late, What::nak, What::rnr_nak, What::lost, What::acknowledgment_lost}) {
    CHECK(sequences.track(Side::a, what).all() == 1);
  }
  CHECK(sequences.troubles() == 6);
  CHECK(sequences.track(Side::a, What::lost).points().front().packets == 4);
  CHECK(sequences.number_of(Side::a, kFirst) == 0xfffffeu);
  CHECK(sequences.number_of(Side::a, kFirst + 2) == 0u);
}

TEST_CASE("Sequences: what goes well is thinned out evenly, finer once something went wrong") {
  for (const bool troubled : {false, true}) {
    Sequences sequences(rdma::Transport::roce2);
    if (troubled) {
      sequences.late(late_at(kFirst, 0, true));
    }
    for (uint64_t i = 0; i < 10'000; ++i) {
      send(sequences, rdma::OpKind::send, Side::a, kFirst + i + 1, static_cast<int64_t>(i));
    }
    const std::vector<SequenceTrack::Point> points = sequences.track(Side::a, What::sent).points();
    const size_t most = troubled ? Sequences::kMostAround : Sequences::kMostPoints;
    CHECK(points.size() <= most + 1);
    CHECK(points.size() > most / 2);
    CHECK(points.front().place == kFirst);
    CHECK(points.back().place == kFirst + 9'999);
    const uint64_t step = points[1].place - points[0].place;
    for (size_t i = 1; i + 1 < points.size(); ++i) {
      CHECK(points[i].place - points[i - 1].place == step);
    }
    CHECK(sequences.bytes() <= 2 * (Sequences::kMostAround + 1) * sizeof(SequenceTrack::Point));
  }
}

TEST_CASE("Sequences: what went wrong is kept up to a bound, and counted beyond") {
  Sequences sequences(rdma::Transport::roce2);
  for (uint64_t i = 0; i < Sequences::kMostMarks; ++i) {
    sequences.late(late_at(kFirst + i, static_cast<int64_t>(i), true));
  }
  CHECK(sequences.track(Side::a, What::sent_again).points().size() == Sequences::kMostMarks);
  for (uint64_t i = 0; i < 5 * Sequences::kMostMarks; ++i) {
    sequences.late(late_at(kFirst + i, static_cast<int64_t>(i), true));
  }
  CHECK(sequences.track(Side::a, What::sent_again).all() == 6 * Sequences::kMostMarks);
  CHECK(sequences.track(Side::a, What::sent_again).points().size() <= Sequences::kMostMarks + 1);
}

}  // namespace
