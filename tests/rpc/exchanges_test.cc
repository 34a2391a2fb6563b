// The life of an Exchange: opened, answered, lingering or owing an RDMA_DONE, reported.
#include "rpc/exchanges.h"

#include <catch2/catch.hpp>

#include "rpc/exchange_fill.h"
#include "support/connection_fixture.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::rpc;

TEST_CASE_METHOD(ConnectionFixture, "an Exchange is reported when it has lingered after its Reply") {
  make(1).call();
  CHECK(departures.due() == INT64_MAX);
  make(1).reply();
  CHECK(state.open.exchange(client, 1) == nullptr);
  CHECK(departures.due() == now.time_ns + 1000);
  departures.flush(now.time_ns + 999);
  CHECK(take().empty());
  departures.flush(now.time_ns + 1000);
  CHECK(take() == "rpc 1");
  CHECK(reported[0].status == Status::complete);
  CHECK(reported[0].complete);
}

TEST_CASE_METHOD(ConnectionFixture,
                 "a Reply without a Call is reported as such, an RDMA_ERROR without one is not") {
  make(1).reply();
  departures.flush(INT64_MAX);
  CHECK(take() == "rpc 1");
  CHECK(reported[0].status == Status::no_call);
  make(2);
  header.procedure = static_cast<uint32_t>(rpcrdma::v1::Proc::error);
  reply();
  departures.flush(INT64_MAX);
  CHECK(take().empty());
}

TEST_CASE_METHOD(ConnectionFixture, "XIDs are the Requester's") {
  make(1).call(client);
  make(1).call(server);
  CHECK(open(1, client).requester == client);
  CHECK(open(1, server).requester == server);
  make(1).reply(client);
  CHECK(state.open.exchange(server, 1) == nullptr);
  CHECK(state.open.exchange(client, 1) != nullptr);
}

TEST_CASE_METHOD(ConnectionFixture, "a Call that is sent again ends the Exchange of the first") {
  make(1).call();
  make(1).call();
  CHECK(take() == "rpc 1");
  CHECK(reported[0].doubt == Doubt::frames_missing);
  CHECK(open(1).resent == 1);
  CHECK(state.open.outstanding().open(client) == 1);
}

TEST_CASE_METHOD(ConnectionFixture, "the oldest of too many open Exchanges is reported as it stands") {
  for (uint32_t xid = 1; xid <= Exchanges::kMaxOpen; ++xid) {
    make(xid).call();
  }
  CHECK(take().empty());
  CHECK_FALSE(state.open.outstanding().forgot(client));
  make(5000).call();
  CHECK(take() == "rpc 1");
  CHECK(state.open.outstanding().forgot(client));
  CHECK(state.open.outstanding().open(client) == Exchanges::kMaxOpen);
}

TEST_CASE_METHOD(ConnectionFixture, "a gap makes Calls uncertain that were under way, and their Exchanges") {
  make(1).call();
  ++state.disturbances.gaps;
  state.open.outstanding().on_gap(server);
  make(2).call();
  CHECK(state.open.outstanding().open(client) == 2);
  CHECK(state.open.outstanding().certain(client) == 1);
  make(1).reply();
  make(2).reply();
  CHECK(state.open.outstanding().certain(client) == 0);
  departures.flush(INT64_MAX);
  CHECK(reported[0].doubt == Doubt::frames_missing);
  CHECK(reported[1].complete);
}

TEST_CASE_METHOD(ConnectionFixture, "a Reply with a Read list is reported after its RDMA_DONE") {
  make(1).call();
  make(1).read(7, 0, 100, 0).reply();
  const int64_t reply_ns = now.time_ns;
  CHECK(departures.due() == reply_ns + Lingering::kDonePatienceNs);
  const uint64_t id = rdma(rdma::OpKind::read_request, client, {7, 0, 100});
  rdma(rdma::OpKind::read_response, server, {7, 0, 40}, id);
  CHECK(take() == "fine 1, place 1:0 0+40");
  make(1).done();
  CHECK(departures.due() == now.time_ns + 1000);
  departures.flush(INT64_MAX);
  REQUIRE(reported.size() == 1);
  CHECK(reported[0].done);
  CHECK(reported[0].undelivered == 60);
  make(1).done();
  CHECK(departures.due() == INT64_MAX);
}

TEST_CASE_METHOD(ConnectionFixture, "of two that owe an RDMA_DONE for one XID the older is confirmed first") {
  for (int i = 0; i < 2; ++i) {
    make(1).call();
    make(1).read(7, 100 * i, 100, 0).reply();
  }
  make(1).done();
  departures.flush(now.time_ns + 1000);
  REQUIRE(reported.size() == 1);
  CHECK(reported[0].segments[0].target.offset == 0);
  make(1).done();
  departures.flush(now.time_ns + 1000);
  REQUIRE(reported.size() == 2);
  CHECK(reported[1].segments[0].target.offset == 100);
}

TEST_CASE_METHOD(ConnectionFixture, "too many that owe an RDMA_DONE, and the oldest is reported without") {
  for (uint32_t xid = 1; xid <= Lingering::kMaxOwing + 1; ++xid) {
    make(xid).read(7, 0, 100, 0).reply();
  }
  CHECK(take() == "rpc 1");
  make(1).done();
  make(2).done();
  departures.flush(now.time_ns + 1000);
  CHECK(take() == "rpc 2");
}

TEST_CASE_METHOD(ConnectionFixture, "at the end all is reported, in the order of the Calls") {
  make(2).call();
  make(1).call();
  make(3).call();
  make(3).reply();
  departures.finish(Departures::Ended::connection);
  CHECK(take() == "rpc 3, rpc 2, rpc 1");
  CHECK(reported[1].status == Status::no_reply);
  CHECK(reported[1].complete);
}

TEST_CASE_METHOD(ConnectionFixture, "the lengths that a Reply returns are those of the Call's segments") {
  make(1).write(7, 0, 100).write(8, 0, 100).write(9, 0, 100).call();
  make(1).write(7, 0, 60).write(8, 4, 50).write(9, 0, 0).reply();
  departures.flush(INT64_MAX);
  CHECK(reported[0].segments[0].returned == 60);
  CHECK_FALSE(reported[0].segments[1].returned);  // not the Call's
  CHECK(reported[0].segments[2].returned == 0);
}

TEST_CASE_METHOD(ConnectionFixture, "what is held is charged, given back, and not kept for ever") {
  CHECK(common.budget.held() == 0);
  make(1);
  for (uint32_t i = 0; i < 2 * kMaxSegments; ++i) {
    read(7, i, 1, i);
  }
  call();
  CHECK(open(1).segments.size() == kMaxSegments);
  const size_t large = common.budget.held();
  CHECK(large > kMaxSegments * sizeof(SegmentFlow));
  read_from(7, 0, 1000);
  const size_t most = common.budget.held();
  CHECK(most > large + 1000 * sizeof(Traffic));
  make(1).reply();
  departures.flush(INT64_MAX);
  reported.clear();
  const size_t kept = common.budget.held();
  CHECK(kept < most);
  make(2).read(7, 0, 1).call();
  CHECK(common.budget.held() < kept + 8192);
  make(2).reply();
  departures.flush(INT64_MAX);
  reported.clear();
  common.slots.shrink();
  common.traffic.shrink();
  advertised.shrink();
  CHECK(common.budget.held() < 256 << 10);  // what was retired is remembered
}

TEST_CASE_METHOD(ConnectionFixture, "nothing of one Exchange is left in the next that takes its place") {
  make(1).read(7, 0, 100).call();
  read_from(7, 0, 100);
  make(1).reply(server, 7);
  departures.flush(INT64_MAX);
  reported.clear();
  make(2).read(8, 0, 100).call();
  CHECK(moved(2, 0) == 0);
  CHECK_FALSE(open(2).reply);
  CHECK_FALSE(open(2).invalidated);
  CHECK_FALSE(open(2).reply_message.kept);
}

TEST_CASE_METHOD(ConnectionFixture, "what is said of memory is not said of the next Exchange's") {
  make(1).write(7, 0, 100).call();
  make(2).write(7, 0, 100).call();
  make(1).reply();
  make(2).reply();
  write_to(7, 0, 100);
  write_to(7, 0, 100);
  departures.flush(INT64_MAX);
  REQUIRE(reported.size() == 2);
  CHECK((reported[0].shares_memory && reported[1].shares_memory));
  CHECK((reported[0].segments[0].after_reply || reported[1].segments[0].after_reply));
  reported.clear();
  for (const uint32_t xid : {3u, 4u}) {
    make(xid).write(10 + xid, 0, 100).call();
    CHECK_FALSE(open(xid).shares_memory);
    CHECK_FALSE(open(xid).segments[0].after_reply);
  }
}

TEST_CASE_METHOD(ConnectionFixture, "a Reply without a Call casts doubt on a Call without a Reply") {
  make(1).call();
  departures.finish(Departures::Ended::connection);
  CHECK(reported.back().doubt == Doubt::none);
  make(2).reply();  // the tap may show its Call later
  make(3).call();
  departures.finish(Departures::Ended::connection);
  CHECK(reported.back().xid == 3);
  CHECK(reported.back().doubt == Doubt::frames_missing);
}
