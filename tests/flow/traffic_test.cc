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
