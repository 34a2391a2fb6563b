// Which RPCs are wanted, and what is said of connections that are not there.
#include "product/rpc_selection.h"

#include <catch2/catch.hpp>

namespace steertag::product {

TEST_CASE("product: an empty filter wants all") {
  const Filter all, some{.connections = {2, 3}, .xids = {7}};
  CHECK(all.all());
  CHECK(!some.all());
  CHECK(all.wants_connection(1));
  CHECK(all.wants_xid(1));
  CHECK(some.wants_connection(3));
  CHECK(!some.wants_connection(1));
  CHECK(some.wants_xid(7));
  CHECK(!some.wants_xid(1));
}

TEST_CASE("product: a connection that is missing is named, with how many there are") {
  const Filter filter{.connections = {2}, .xids = {}};
  CHECK(!filter.missing({1, 2}));
  CHECK(filter.missing({}) == "--conn: no connection 2; none of RPC-over-RDMA was found");
  CHECK(filter.missing({1}) == "--conn: no connection 2; 1 connection of RPC-over-RDMA was found");
  CHECK(filter.missing({1, 4}) ==
        "--conn: no connection 2; 2 connections of RPC-over-RDMA were found, numbered up to 4");
}

TEST_CASE("product: times are since the first frame, or since the epoch, and the later bound is outside") {
  constexpr int64_t kOriginNs = 1'000;
  const RpcBounds bounds{
      .from = When{false, 5}, .to = When{true, 1'010}, .min_latency = {}, .clients = {}, .servers = {}};
  CHECK(!bounds.within(1'004, kOriginNs));
  CHECK(bounds.within(1'005, kOriginNs));
  CHECK(bounds.within(1'009, kOriginNs));
  CHECK(!bounds.within(1'010, kOriginNs));
}

}  // namespace steertag::product
