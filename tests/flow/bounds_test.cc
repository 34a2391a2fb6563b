// The bounds of what is kept of one segment: what is said one below, at and above.
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "flow/traffic.h"

using namespace steertag;
using namespace steertag::flow;
using rdma::OpKind;

TEST_CASE("bounds: memory with what RDMA carried, kept for reuse") {
  constexpr size_t kEach = 64 << 10;
  const auto kept = [](size_t last) {
    base::Budget budget;
    TrafficPool pool(budget);
    std::vector<TrafficRef> taken;
    for (size_t i = 0; i < TrafficPool::kMaxSpareBytes / kEach; ++i) {
      Traffic with;
      with.data.reserve((i == 0 ? last : kEach) - Traffic{}.bytes());
      taken.push_back(pool.make(std::move(with)));
    }
    std::reverse(taken.begin(), taken.end());
    while (!taken.empty()) {
      taken.erase(taken.begin());  // the odd one last
    }
    return budget.held();
  };
  CHECK(kept(kEach - 1) == TrafficPool::kMaxSpareBytes - 1);
  CHECK(kept(kEach) == TrafficPool::kMaxSpareBytes);
  CHECK(kept(kEach + 1) == TrafficPool::kMaxSpareBytes - kEach);
}

TEST_CASE("bounds: frames listed for one segment") {
  for (const size_t count : {Traffic::kMaxFrames - 1, Traffic::kMaxFrames, Traffic::kMaxFrames + 1}) {
    Traffic traffic;
    for (uint32_t i = 0; i < count; ++i) {
      const Stamp at{.number = i};
      rdma::RdmaOp op;
      op.kind = OpKind::write;
      op.id = 1;
      op.frames = {&at, 1};
      traffic.add(op, {i, 0, 1}, 0);
    }
    CHECK(traffic.frames.size() == std::min(count, Traffic::kMaxFrames));
    CHECK(traffic.moved.total() == count);
    CHECK(traffic.ops == 1);
  }
}

TEST_CASE("bounds: payload that is kept of one segment") {
  constexpr uint32_t payload_limit = 1024;
  const std::vector<uint8_t> zeros(2 * payload_limit);
  const auto kept = [&](const std::vector<uint32_t>& lengths) {
    Traffic traffic;
    const Stamp at;
    uint64_t offset = 0;
    for (const uint32_t length : lengths) {
      rdma::RdmaOp op;
      op.kind = OpKind::write;
      op.payload = Bytes(zeros).first(length);
      op.frames = {&at, 1};
      traffic.add(op, {offset, 0, length}, payload_limit);
      offset += length;
    }
    CHECK(traffic.moved.total() == offset);
    CHECK(traffic.held.total() == traffic.data.size());
    return traffic.data.size();
  };
  for (const uint32_t length : {payload_limit - 1, payload_limit, payload_limit + 1}) {
    CHECK(kept({length}) == std::min(length, payload_limit));
    CHECK(kept({length - 1, 1}) == std::min(length, payload_limit));
    CHECK(kept({length, 100}) == payload_limit);
  }
}
