// The bounds of what is known of memory: what is said one below, at and above.
#include <catch2/catch.hpp>
#include <string>

#include "support/connection_fixture.h"

using namespace steertag;
using namespace steertag::rpc;
using namespace steertag::memory;
using rdma::OpKind;

TEST_CASE_METHOD(BoundedConnection, "bounds: segments under one handle") {
  constexpr uint32_t kEach = 1024;
  static_assert(SegmentIndex::kMaxUnderHandle % kEach == 0);
  uint64_t offset = 0;
  uint32_t xid = 0;
  const auto advertise = [&](uint32_t segments) {
    make(++xid);
    for (uint32_t i = 0; i < segments; ++i, offset += 10) {
      write(7, offset, 10);
    }
    call();
  };
  while (offset / 10 + kEach < SegmentIndex::kMaxUnderHandle) {
    advertise(kEach);
  }
  advertise(kEach - 1);
  advertise(1);
  write_to(7, offset - 10, 10);
  CHECK(take().starts_with("fine " + std::to_string(xid)));
  CHECK_FALSE(unsure);
  advertise(1);
  write_to(7, offset - 10, 10);
  CHECK(take().find("fine") == std::string::npos);
  CHECK(unsure);
  write_to(7, 0, 10);
  CHECK(take() == "fine 1, place 1:0 0+10");
  answer(xid);
  CHECK(reported.back().doubt == Doubt::header_cut);
  answer(1);
  CHECK(reported.back().complete);
}

TEST_CASE("bounds: segments of one side") {
  SegmentIndex index;
  for (size_t i = 0; i < SegmentIndex::kMaxPlaces; ++i) {
    const auto handle = static_cast<uint32_t>(i / SegmentIndex::kMaxUnderHandle);
    const auto room =
        i % SegmentIndex::kMaxUnderHandle == 0 ? SegmentIndex::Room::first : SegmentIndex::Room::more;
    if (index.reserve(handle) != room) {
      FAIL("no room for place " << i);
    }
  }
  CHECK(index.reserve(0xFFFF) == SegmentIndex::Room::full);
  CHECK(index.reserve(0) == SegmentIndex::Room::full);
}

TEST_CASE_METHOD(BoundedConnection, "bounds: RDMA Reads whose Call is remembered for their Responses") {
  for (const size_t others :
       {Operations::kReadsKept - 2, Operations::kReadsKept - 1, Operations::kReadsKept}) {
    const auto base = static_cast<uint32_t>(10 * others);
    make(base).read(7, 0, 100).call();
    const uint64_t id = rdma(OpKind::read_request, server, {7, 0, 100});
    make(base + 1).read(7, 0, 100).call();  // the same memory
    make(base + 2).write(8, 0, 100).call();
    for (size_t i = 0; i < others; ++i) {
      write_to(8, 0, 10);  // what is sent in between takes no place
      rdma(OpKind::read_request, server, {7, 0, 100});
    }
    take();
    rdma(OpKind::read_response, client, {7, 0, 100}, id);
    const uint32_t xid = others < Operations::kReadsKept ? base : base + 1;
    CHECK(take() == "place " + std::to_string(xid) + ":0 0+100");
    for (uint32_t i = 0; i < 3; ++i) {
      answer(base + i);
    }
  }
}
