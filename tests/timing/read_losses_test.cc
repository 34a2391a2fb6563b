// Read Responses that were lost: no end acknowledges them, and a Requester that misses one asks again.
#include <catch2/catch.hpp>

#include "timing/loss_link.h"
#include "timing/losses.h"

using namespace steertag;
using namespace steertag::timing;
using namespace steertag::timing::test;

TEST_CASE("losses: a Read Request that is repeated tells that its Responses were lost") {
  for (const bool seen : {false, true}) {
    INFO(seen);
    Link link;
    rdma::Late asks;
    asks.from = Side::b;
    asks.again = asks.asks = true;
    asks.begin = 20;
    asks.end = 21;
    asks.number = 20;
    const Stamp first = link.now();
    asks.at = link.now();
    link.losses.late(asks, false);
    if (seen) {
      rdma::Late response = link.late(20, first, kMs);
      response.of_reads = response.again = true;
      link.losses.late(response, false);
    } else {
      const Stamp at = link.now();
      rdma::RdmaOp op;
      op.kind = rdma::OpKind::read_response;
      op.end_position = 21;
      op.payload_length = 100;
      op.frames = {&at, 1};
      link.losses.fresh(op);
    }
    REQUIRE(link.all().size() == 1);
    const Loss& loss = link.all().front();
    CHECK(loss.noticed_by == Loss::NoticedBy::read_retry);
    CHECK(loss.noticed == asks.at);
    CHECK(loss.from == Side::a);
    CHECK(loss.first == 20);
    CHECK(loss.packets == 1);
    CHECK(loss.resent_packets == 2);  // with the Request
    CHECK(loss.where == (seen ? Loss::Where::after_tap : Loss::Where::before_tap));
  }
}

TEST_CASE("losses: a Read Response was lost before its Requester asks again, whatever is sent since") {
  Link link;
  rdma::Late asks;
  asks.from = Side::b;
  asks.again = asks.asks = true;
  asks.begin = asks.number = 20;
  asks.end = 21;
  asks.at = link.now();
  link.losses.late(asks, false);
  const Stamp at = link.now();
  rdma::RdmaOp other;
  other.kind = rdma::OpKind::read_response;
  other.end_position = 31;
  other.frames = {&at, 1};
  link.losses.fresh(other);
  rdma::Late response = link.late(20, at, kMs);
  response.of_reads = response.again = true;
  response.since.reset();
  link.losses.late(response, false);
  REQUIRE(link.all().size() == 1);
  CHECK(link.all().front().since == asks.at);
  CHECK(link.all().front().delay_ns() == response.at.time_ns - asks.at.time_ns);
}
