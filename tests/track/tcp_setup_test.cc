// TcpSetup: of the segments of a TCP connection only what says how it began and ended, and no more of them
// than its bound.
#include "track/tcp_setup.h"

#include <catch2/catch.hpp>

namespace steertag::track {
namespace {

link::Packet segment(bool syn, bool ack, bool rst = false) {
  link::Packet made;
  made.carrier = link::Carrier::tcp;
  made.tcp.syn = syn;
  made.tcp.ack = ack;
  made.tcp.rst = rst;
  return made;
}

TEST_CASE("a SYN that is sent again is remembered so many times") {
  TcpSetup setup;
  for (uint64_t number = 1; number <= 2 * TcpSetup::kMostAsked; ++number) {
    setup.on_segment(rdma::Side::a, segment(true, false),
                     {.number = number, .time_ns = static_cast<int64_t>(number) * 1'000'000'000});
  }
  CHECK(setup.syns.size() == TcpSetup::kMostAsked);
  CHECK(setup.syn_from == rdma::Side::a);
  CHECK_FALSE(setup.syn_answered);
}

TEST_CASE("a SYN that a mirror has seen twice is one") {
  TcpSetup setup;
  setup.on_segment(rdma::Side::a, segment(true, false), {.number = 1, .time_ns = 0});
  setup.on_segment(rdma::Side::a, segment(true, false), {.number = 2, .time_ns = TcpSetup::kResent_ns - 1});
  CHECK(setup.syns.size() == 1);
}

TEST_CASE("an end has spoken where its data passed, or where its sequence or an acknowledgment shows some") {
  const auto after_setup = [](rdma::Side from, uint32_t sequence, uint32_t acknowledgment, uint32_t length) {
    TcpSetup setup;
    link::Packet syn = segment(true, false), answer = segment(true, true), last = segment(false, true);
    syn.tcp.sequence = 99;
    answer.tcp.sequence = 499;
    setup.on_segment(rdma::Side::a, syn, {.number = 1});
    setup.on_segment(rdma::Side::b, answer, {.number = 2});
    last.tcp.sequence = sequence;
    last.tcp.acknowledgment = acknowledgment;
    last.payload_length = length;
    setup.on_segment(from, last, {.number = 3});
    return setup.spoke;
  };
  CHECK(after_setup(rdma::Side::a, 100, 500, 0) == std::array{false, false});
  CHECK(after_setup(rdma::Side::a, 100, 501, 0) == std::array{false, false});  // a FIN
  CHECK(after_setup(rdma::Side::a, 100, 520, 0) == std::array{false, true});
  CHECK(after_setup(rdma::Side::b, 520, 100, 0) == std::array{false, true});
  CHECK(after_setup(rdma::Side::b, 500, 100, 20) == std::array{false, true});
  CHECK(after_setup(rdma::Side::a, 100, 500, 20) == std::array{true, false});
}

TEST_CASE("a SYN is answered by its peer, or by what its sender goes on with, and not by a RST") {
  TcpSetup answered, one_way, refused;
  for (TcpSetup* setup : {&answered, &one_way, &refused}) {
    setup->on_segment(rdma::Side::a, segment(true, false), {.number = 1});
  }
  answered.on_segment(rdma::Side::b, segment(true, true), {.number = 2});
  one_way.on_segment(rdma::Side::a, segment(false, true), {.number = 2});
  refused.on_segment(rdma::Side::b, segment(false, true, true), {.number = 2});
  CHECK(answered.syn_answered);
  CHECK(one_way.syn_answered);
  CHECK_FALSE(refused.syn_answered);
}

TEST_CASE("the first FIN or RST that is accepted is the end") {
  TcpSetup setup;
  setup.on_closing(rdma::Side::b, true, {.number = 2});
  setup.on_closing(rdma::Side::a, false, {.number = 3});
  REQUIRE(setup.end);
  CHECK(setup.end->reset);
  CHECK(setup.end->by == rdma::Side::b);
}

}  // namespace
}  // namespace steertag::track
