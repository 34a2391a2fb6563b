#include "flow/traffic.h"

#include <catch2/catch.hpp>
#include <memory>

using namespace steertag;
using flow::Traffic;
using flow::TrafficPool;
using flow::TrafficRef;

TEST_CASE("traffic that nobody refers to is used again, and nothing of it shows through") {
  base::Budget budget;
  TrafficPool pool(budget);
  Traffic some;
  some.moved.add(0, 100);
  some.data.assign(100, 7);
  const Traffic* place = nullptr;
  {
    const TrafficRef first = pool.make(std::move(some));
    const TrafficRef second = first;
    CHECK_FALSE(first.alone());
    CHECK((*second).moved.total() == 100);
    CHECK(budget.held() > 100);
    place = &*first;
  }
  const TrafficRef again = pool.make();
  CHECK(&*again == place);
  CHECK((*again).moved.total() == 0);
  CHECK((*again).data.empty());
}

TEST_CASE("a reference may outlive its pool") {
  base::Budget budget;
  auto pool = std::make_unique<TrafficPool>(budget);
  TrafficRef one = pool->make();
  TrafficRef other = pool->make();
  pool.reset();
  TrafficRef copy = one;
  one = {};
  other = {};
  CHECK(copy.alone());
  copy = {};
  CHECK_FALSE(copy);
}

TEST_CASE("what nobody refers to any more is used again, and charged only while it is held") {
  base::Budget budget;
  TrafficPool pool(budget);
  {
    const TrafficRef first = pool.make();
    const TrafficRef second = first;
    CHECK(first == second);
    CHECK_FALSE(first.alone());
    CHECK(budget.held() != 0);
    rdma::RdmaOp op;
    op.kind = rdma::OpKind::write;
    op.id = 1;
    pool.add(first, op, {.offset = 5, .skip = 0, .length = 10}, 1024);
    CHECK((*second).moved.total() == 10);
    const TrafficRef copy = pool.make(*first);
    CHECK_FALSE(copy == first);
    CHECK((*copy).moved.total() == 10);
  }
  CHECK(budget.held() != 0);  // kept for the next
  CHECK((*pool.make()).moved.total() == 0);
}
