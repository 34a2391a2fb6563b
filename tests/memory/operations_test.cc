// Which Call an RDMA operation is for, whether it may be, and what it carries for whom.
#include "memory/operations.h"

#include <catch2/catch.hpp>

#include "support/connection_fixture.h"

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::memory;
using namespace steertag::rpc;
using rdma::OpKind;

TEST_CASE_METHOD(ConnectionFixture, "a Write falls into the segment that advertises its bytes") {
  make(1).write(7, 100, 50).call();
  write_to(7, 110, 20);
  CHECK(take() == "fine 1, place 1:0 10+20");
  CHECK(moved(1, 0) == 20);
  CHECK(open(1).segments[0].ops() == 1);
}

TEST_CASE_METHOD(ConnectionFixture, "an operation may span segments of one Call that lie side by side") {
  make(1).write(7, 100, 50).write(7, 150, 50).call();
  write_to(7, 140, 20);
  CHECK(take() == "fine 1, place 1:0 40+10, place 1:1 0+10");
}

TEST_CASE_METHOD(ConnectionFixture, "segments of one Call that lie within one another end with the longest") {
  make(1).write(7, 0, 100).write(7, 50, 10).call();
  write_to(7, 55, 45);
  CHECK(take().starts_with("fine 1, "));
  write_to(7, 55, 145);
  CHECK(take().starts_with("outside 1 at 100, "));
  make(2).write(8, 50, 10).write(8, 0, 100).write(8, 100, 20).call();
  write_to(8, 55, 145);
  CHECK(take().starts_with("outside 2 at 120, "));
}

TEST_CASE_METHOD(ConnectionFixture, "segments of two Calls are not one piece of memory") {
  make(1).write(7, 100, 50).call();
  make(2).write(7, 150, 50).call();
  write_to(7, 140, 20);
  CHECK(take() == "outside 1 at 150, place 1:0 40+10, place 2:0 0+10");
}

TEST_CASE_METHOD(ConnectionFixture,
                 "of Calls that advertise the same memory it is the newest that holds all") {
  make(1).write(7, 0, 100).call();
  make(2).write(7, 0, 50).call();
  make(3).write(7, 0, 20).call();
  write_to(7, 0, 40);
  CHECK(take() == "fine 2, place 2:0 0+40");
  write_to(7, 0, 10);
  CHECK(take() == "fine 3, place 3:0 0+10");
  write_to(7, 0, 200);
  CHECK(take() == "outside 3 at 20, place 3:0 0+20, place 2:0 20+30, place 1:0 50+50");
}

TEST_CASE_METHOD(ConnectionFixture, "the later pieces of a Write are for the Call of its first") {
  make(1).write(7, 0, 100).call();
  const uint64_t id = write_to(7, 0, 10);
  make(2).write(7, 0, 100).call();
  write_to(7, 10, 10, id);
  CHECK(take() == "fine 1, place 1:0 0+10, place 1:0 10+10");
}

TEST_CASE_METHOD(ConnectionFixture, "a Response is for the Call that its Request was for") {
  make(1).read(7, 0, 100).call();
  const uint64_t id = rdma(OpKind::read_request, server, {7, 0, 100});
  make(2).read(7, 0, 100).call();
  rdma(OpKind::read_response, client, {7, 0, 100}, id);
  CHECK(take() == "fine 1, place 1:0 0+100");
}

TEST_CASE_METHOD(ConnectionFixture,
                 "what is advertised for reading is not written, nor the other way round") {
  make(1).read(7, 0, 100).call();
  make(2).write(8, 0, 100).call();
  write_to(7, 0, 10);
  CHECK(take() == "wrong 1 at 0");
  rdma(OpKind::read_request, server, {8, 0, 10});
  CHECK(take() == "wrong 2 at 0");
}

TEST_CASE_METHOD(ConnectionFixture, "an operation runs out of what is advertised, or was nowhere in it") {
  make(1).write(7, 100, 50).call();
  write_to(7, 140, 20);
  CHECK(take() == "outside 1 at 150, place 1:0 40+10");
  write_to(7, 0, 10);
  CHECK(take() == "outside 1 at 0");
  write_to(8, 0, 10);
  CHECK(take() == "never at 0");
}

TEST_CASE_METHOD(ConnectionFixture, "past the end of memory nothing is advertised") {
  make(1).write(7, UINT64_MAX - 9, 10).call();
  write_to(7, UINT64_MAX - 9, 10);
  CHECK(take() == "fine 1, place 1:0 0+10");
  write_to(7, UINT64_MAX - 9, 11);
  CHECK(take() == "outside 1 at 0, place 1:0 0+10");
}

TEST_CASE_METHOD(ConnectionFixture,
                 "what comes after the Reply is reported as such, as long as it is remembered") {
  make(1).write(7, 0, 100).call();
  make(1).reply();
  write_to(7, 0, 10);
  CHECK(take() == "after_reply 1 at 0, place 1:0 0+10");
  departures.flush(INT64_MAX);
  CHECK(take() == "rpc 1");
  CHECK(reported[0].segments[0].after_reply);
  write_to(7, 0, 10);
  CHECK(take() == "after_reply at 0");
}

TEST_CASE_METHOD(ConnectionFixture, "a handle that was invalidated is dead until it is advertised again") {
  make(1).write(7, 0, 100).call();
  make(2).write(7, 200, 100).call();
  make(1).reply(server, 7);
  write_to(7, 200, 10);
  CHECK(take() == "after_rescind 2 at 200, place 2:0 0+10");
  make(3).write(7, 0, 100).call();
  write_to(7, 0, 10);
  CHECK(take() == "fine 3, place 3:0 0+10");
}

TEST_CASE_METHOD(ConnectionFixture, "what is read is read for every Call that advertises it, and kept once") {
  for (uint32_t xid = 1; xid <= 3; ++xid) {
    make(xid).read(7, 0, 100).read(7, 0, 100).call();
  }
  read_from(7, 0, 60);
  CHECK(moved(1, 0) == 60);
  CHECK(moved(3, 1) == 60);
  CHECK(open(1).segments[0].traffic == open(3).segments[1].traffic);

  // From its Reply on a Call has what was read until then, for itself.
  make(2).reply();
  read_from(7, 60, 40);
  CHECK(moved(1, 0) == 100);
  departures.flush(INT64_MAX);
  REQUIRE(reported.size() == 1);
  CHECK(reported[0].segments[0].moved().total() == 60);
  CHECK(reported[0].segments[1].moved().total() == 60);

  // Who advertises it later has nothing of what was read before.
  make(4).read(7, 0, 100).call();
  read_from(7, 0, 10);
  CHECK(moved(4, 0) == 10);
  CHECK(moved(1, 0) == 100);
}

TEST_CASE_METHOD(ConnectionFixture, "memory is advertised for results twice, and both are marked") {
  make(1).write(7, 0, 100).call();
  make(2).write(7, 200, 100).call();
  CHECK_FALSE(open(1).shares_memory);
  make(3).write(7, 50, 10).call();
  make(4).write(7, 59, 10).call();
  CHECK(open(1).shares_memory);
  CHECK_FALSE(open(2).shares_memory);
  CHECK(open(3).shares_memory);
  CHECK(open(4).shares_memory);
}

TEST_CASE_METHOD(ConnectionFixture,
                 "the handle of another connection between the same hosts is found there") {
  ConnectionFixture other;
  Advertised there{common.budget, common.traffic, 1024, 1024};
  AccessJudge of_other{other.connection, directory};
  there.judge_by(&of_other);
  other.connection.number = 9;
  of_other.enlist(there);
  Advertisement advertisement;
  Exchange x;
  x.requester = client;
  x.segments.add().target = {7, 100, 0, {}};
  advertisement.exchange = &x;
  there.advertise(advertisement, 0);
  CHECK(directory.find(connection, client, 7) == 9);
  there.withdraw(advertisement);
  CHECK(directory.size() == 0);
}

TEST_CASE_METHOD(ConnectionFixture, "a Reply chunk is kept up to a limit of its own") {
  Advertised there{common.budget, common.traffic, 8, 16};
  memory::Operations placed{connection, *this, common.settings, there};
  Advertisement advertisement;
  Exchange x;
  x.requester = client;
  x.segments.add().target = {7, 100, 0, {}};
  x.segments[0].kind = ChunkKind::reply;
  x.segments.add().target = {9, 100, 0, {}};
  x.segments[1].kind = ChunkKind::write;
  advertisement.exchange = &x;
  there.advertise(advertisement, 0);
  const std::vector<uint8_t> payload(100);
  for (const uint32_t handle : {7, 9}) {
    rdma::RdmaOp op;
    op.kind = OpKind::write;
    op.from = server;
    op.id = handle;
    op.memory = {handle, 0, 100};
    op.payload = payload;
    op.payload_length = 100;
    op.frames = {&now, 1};
    placed.on_rdma(op);
  }
  CHECK(x.segments[0].data().size() == 16);
  CHECK(x.segments[1].data().size() == 8);
  there.withdraw(advertisement);
}
