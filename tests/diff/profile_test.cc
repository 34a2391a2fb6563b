#include "diff/profile.h"

#include <catch2/catch.hpp>

#include "diff/made.h"

using namespace steertag;
using namespace steertag::diff;

TEST_CASE("profile: what shares have counted adds up to what one has, in whatever order") {
  MadeCapture whole, one, two;
  whole.connection.ends[0].credits.granted_max = one.connection.ends[0].credits.granted_max = 7;
  const auto fill = [](MadeCapture& made, const char* op, uint64_t frame) {
    made.frame = frame;
    made.add(3, kMs, op).add(2, made_segment(flow::ChunkKind::write, 4096), op);
    made.add(made.next(op).failed("NFS3ERR_IO"));
    made.profile.close(made.connection);
  };
  fill(whole, "READ", 1);
  fill(whole, "READ", 100);
  fill(whole, "WRITE", 200);
  fill(two, "READ", 100);
  fill(one, "READ", 1);
  fill(one, "WRITE", 200);
  for (const bool first : {true, false}) {
    MadeCapture sum;
    sum.profile.take_over(first ? one.profile : two.profile);
    sum.profile.take_over(first ? two.profile : one.profile);
    CHECK(sum.profile.rpcs() == whole.profile.rpcs());
    CHECK(sum.profile.connections().connections == 3);
    CHECK(sum.profile.connections().granted == 7);
    CHECK(compared(whole, sum, {.count = 0, .few = 0}).empty());
    const OperationProfile& read = sum.profile.operations().begin()->second;
    CHECK(read.totals.count == 12);
    CHECK(read.failures.at("NFS3ERR_IO").rpcs == 2);
    CHECK(read.failures.at("NFS3ERR_IO").first.number == 13);  // whoever came first
    CHECK(read.usage.chunks[static_cast<size_t>(Chunk::write)].segments == 4);
  }
}

TEST_CASE("profile: connections without RPC-over-RDMA do not count") {
  MadeCapture made;
  made.connection.rpcrdma = false;
  made.profile.close(made.connection);
  CHECK(made.profile.connections().connections == 0);
}

TEST_CASE("profile: a connection of a version that is none counts as one without any") {
  MadeCapture made;
  made.connection.version = 2;
  made.profile.close(made.connection);
  made.connection.version = 99;
  made.profile.close(made.connection);
  const ConnectionsProfile& all = made.profile.connections();
  CHECK(all.versions[0] == 1);
  CHECK(all.versions[1] == 0);
  CHECK(all.versions[2] == 1);
}

TEST_CASE("profile: RPCs of further operations are one, and so are further ways to fail") {
  MadeCapture made;
  for (size_t i = 0; i < Profile::kMaxOperations + 3; ++i) {
    made.add(made.next(std::to_string(i)));
  }
  CHECK(made.profile.operations().size() == Profile::kMaxOperations);
  CHECK(made.profile.further().totals.count == 3);
  CHECK(made.profile.rpcs() == Profile::kMaxOperations + 3);

  MadeCapture failing;
  for (size_t i = 0; i < OperationProfile::kMaxFailures + 5; ++i) {
    failing.add(failing.next().failed("status " + std::to_string(i)));
  }
  const auto& failures = failing.profile.operations().begin()->second.failures;
  CHECK(failures.size() == OperationProfile::kMaxFailures + 1);
  CHECK(failures.at("other failures").rpcs == 5);
}
