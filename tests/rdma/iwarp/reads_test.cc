#include "rdma/iwarp/reads.h"

#include <catch2/catch.hpp>

using namespace steertag;
using rdma::iwarp::OutstandingRead;
using rdma::iwarp::Reads;

namespace {

OutstandingRead iwarp_read(uint32_t stag, uint64_t offset, uint32_t length) {
  OutstandingRead read;
  read.sink_stag = stag;
  read.sink_offset = offset;
  read.source.length = length;
  return read;
}

}  // namespace

TEST_CASE("a Response is for the oldest Read whose sink holds it") {
  Reads reads;
  reads.push(iwarp_read(1, 0, 100));
  reads.push(iwarp_read(2, 1000, 100));
  reads.push(iwarp_read(2, 1050, 100));
  reads.push(iwarp_read(3, 0, 0));
  CHECK(reads.find(1, 99, 1) == 0);
  CHECK(reads.find(1, 100, 1) == 4);
  CHECK(reads.find(2, 1060, 10) == 1);
  CHECK(reads.find(2, 1100, 10) == 2);
  CHECK(reads.find(2, 999, 10) == 4);
  CHECK(reads.find(3, 0, 0) == 3);
  reads.pop(2);
  CHECK(reads.find(2, 1060, 10) == 0);
  CHECK(reads.size() == 2);
  const Reads& same = reads;
  CHECK(reads[0].sink_offset == 1050);
  CHECK(same[0].sink_offset == 1050);
  CHECK(reads[1].sink_stag == 3);
  CHECK(same[1].sink_stag == 3);
  reads.pop(2);
  CHECK(reads.empty());
}

TEST_CASE("sinks tell Reads apart while no two have the same") {
  Reads reads;
  reads.push(iwarp_read(1, 0, 100));
  CHECK_FALSE(reads.told_apart());  // one is not enough to know
  reads.push(iwarp_read(1, 100, 100));
  CHECK(reads.told_apart());
  SECTION("two that are outstanding together") {
    reads.push(iwarp_read(1, 0, 50));
  }
  SECTION("two in a row") {
    reads.pop(2);
    reads.push(iwarp_read(1, 100, 100));
  }
  CHECK_FALSE(reads.told_apart());
}

TEST_CASE("more Reads than any hardware has outstanding push the oldest out") {
  Reads reads;
  for (uint32_t i = 0; i < Reads::kMaxReads; ++i) {
    CHECK(reads.push(iwarp_read(i, 0, 100)) == Reads::Room::enough);
  }
  CHECK(reads.push(iwarp_read(9999, 0, 100)) == Reads::Room::oldest_forgotten);
  CHECK(reads.size() == Reads::kMaxReads);
  CHECK(reads.find(0, 0, 1) == reads.size());
  CHECK(reads.find(9999, 0, 1) == reads.size() - 1);
}
