// What a Survey keeps of the pieces of chunks, and when it forgets them.
#include <catch2/catch.hpp>

#include "sanitize/made.h"

namespace steertag::sanitize {
namespace {

// One RPC whose Reply chunk is written to.
struct WrittenChunk {
  Plan plan{kKey, 1 << 20};
  Survey survey{kKey, {}, plan};
  track::Connection connection;
  flow::Exchange exchange;
  std::vector<uint8_t> bytes = {1, 2, 3, 4};

  WrittenChunk() {
    connection.transport = rdma::Transport::roce2;
    exchange.connection = &connection;
    exchange.segments.add().kind = flow::ChunkKind::reply;
    exchange.xid = 5;
    exchange.call = Stamp{.number = 7};
  }
  void write() {
    rdma::RdmaOp op;
    op.payload = bytes;
    survey.on(PlacementSeen{exchange, exchange.segments[0], op, 0, 4});
  }
  size_t waiting() const { return survey.waiting(connection); }
};

TEST_CASE_METHOD(WrittenChunk,
                 "of a connection that never was RPC-over-RDMA nothing is kept once it is over") {
  write();
  CHECK(waiting() == 1);
  survey.on(ConnectionClosed{.connection = connection});
  CHECK(waiting() == 0);
}

// Of a connection that is not claimed yet, an Exchange may go without a word, and another one come into its
// place.
TEST_CASE_METHOD(WrittenChunk, "what was written for one RPC is not another's that has come into its place") {
  write();
  write();
  CHECK(waiting() == 2);
  SECTION("with another XID") {
    exchange.xid = 6;
  }
  SECTION("with another Call") {
    exchange.call = Stamp{.number = 8};
  }
  write();
  CHECK(waiting() == 1);
}

}  // namespace
}  // namespace steertag::sanitize
