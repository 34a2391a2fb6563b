#include "sanitize/targets.h"

#include <catch2/catch.hpp>

#include "rdma/iwarp/ddp.h"
#include "rdma/iwarp/rdmap.h"
#include "wire/writer.h"

namespace steertag::sanitize {
namespace {

namespace iwarp = rdma::iwarp;
using Octets = std::vector<uint8_t>;

Octets tagged(uint32_t stag, uint64_t offset) {
  Octets plain = {0, iwarp::TaggedHeader::kSize};
  iwarp::TaggedHeader header;
  header.stag = stag;
  header.offset = offset;
  wire::write(plain, header);
  return plain;
}

Octets request(uint32_t sink, uint32_t source) {
  Octets plain = {0, iwarp::UntaggedHeader::kSize + iwarp::ReadRequestHeader::kSize};
  iwarp::UntaggedHeader ddp;
  ddp.control = iwarp::Control::make(iwarp::Opcode::read_request, true);
  ddp.queue = iwarp::Queue::read_request;
  wire::write(plain, ddp);
  wire::write(plain, iwarp::ReadRequestHeader{sink, 0x5000, 64, source, 0x1000});
  return plain;
}

rpcrdma::TransportHeader advertising(uint32_t handle) {
  rpcrdma::TransportHeader header;
  rpcrdma::WriteChunk chunk;
  chunk.target.push_back({handle, 4096, 0x1000, {}});
  header.chunks.writes.push_back(chunk);
  return header;
}

TEST_CASE("a tagged FPDU names what a message of its connection advertised, from its first byte to its end") {
  track::Connection one, other;
  Targets targets;
  CHECK_FALSE(targets.named(one, tagged(7, 0x1000)));
  targets.add(one, advertising(7));
  CHECK(targets.named(one, tagged(7, 0x1000)));
  CHECK(targets.named(one, tagged(7, 0x2000)));
  CHECK_FALSE(targets.named(one, tagged(7, 0xFFF)));
  CHECK_FALSE(targets.named(one, tagged(7, 0x2001)));
  CHECK_FALSE(targets.named(one, tagged(8, 0x1000)));
  CHECK_FALSE(targets.named(other, tagged(7, 0x1000)));
  targets.forget(one);
  CHECK_FALSE(targets.named(one, tagged(7, 0x1000)));
}

TEST_CASE("a Read Request names its source, and tells of its sink") {
  track::Connection connection;
  Targets targets;
  CHECK_FALSE(targets.named(connection, request(9, 7)));
  targets.add(connection, advertising(7));
  CHECK(targets.named(connection, request(9, 7)));
  targets.add_request(connection, request(9, 7));
  CHECK(targets.named(connection, tagged(9, 0x5000)));
  CHECK_FALSE(targets.named(connection, tagged(9, 0x5041)));
}

TEST_CASE("a Send names what it invalidates, and one that ends within its header names nothing") {
  track::Connection connection;
  Targets targets;
  targets.add(connection, advertising(7));
  for (const uint32_t handle : {0, 7, 8}) {
    Octets plain = {0, iwarp::UntaggedHeader::kSize};
    iwarp::UntaggedHeader header;
    header.control = iwarp::Control::make(iwarp::Opcode::send_invalidate, true);
    header.invalidate_stag = handle;
    wire::write(plain, header);
    CHECK(targets.named(connection, plain) == (handle != 8));
    plain.pop_back();
    CHECK_FALSE(targets.named(connection, plain));
  }
}

TEST_CASE("bounds: handles that are remembered of a connection") {
  track::Connection connection;
  Targets targets;
  for (uint32_t handle = 0; handle <= Targets::kMost; ++handle) {
    targets.add(connection, advertising(handle));
    REQUIRE(targets.size(connection) <= Targets::kMost);
  }
  CHECK(targets.size(connection) == Targets::kMost / 2 + 1);  // the latest
}

}  // namespace
}  // namespace steertag::sanitize
