// The Calls of a connection that wait for their Replies, counted.
#include "rpc/open_calls.h"

#include <catch2/catch.hpp>

using namespace steertag;
using namespace steertag::flow;
using namespace steertag::rpc;

TEST_CASE("once all Calls are dropped, nothing is left of what was counted of them") {
  OpenCalls calls;
  calls.outstanding().note_forgotten(Side::a);
  REQUIRE(calls.outstanding().forgot(Side::a));
  calls.forget();
  CHECK_FALSE(calls.outstanding().forgot(Side::a));
}

TEST_CASE("the XIDs of both ends are different names, whatever their bits") {
  uint32_t xid = 5;
  CHECK(rpc_key(Side::a, xid | 1u << 31) != rpc_key(Side::b, xid));
  CHECK(rpc_key(Side::a, xid) != rpc_key(Side::b, xid));
}
