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
    setup.on_segment(rdma::Side::a, segment(true, false), {.number = number});
  }
  CHECK(setup.syns.size() == TcpSetup::kMostAsked);
  CHECK(setup.syn_from == rdma::Side::a);
  CHECK_FALSE(setup.syn_answered);
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
  REQUIRE(refused.end);
  CHECK(refused.end->reset);
  CHECK(refused.end->by == rdma::Side::b);
}

}  // namespace
}  // namespace steertag::track
