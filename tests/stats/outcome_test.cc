// How an RPC ended.
#include "stats/outcome.h"

#include <catch2/catch.hpp>

namespace steertag::stats {

TEST_CASE("an RPC failed where the transport, RPC or NFS answered with an error") {
  flow::Exchange exchange;
  exchange.status = flow::Status::complete;
  CHECK_FALSE(failed(exchange));
  exchange.subject.nfs_status = 0;
  exchange.answer = rpcrdma::Answer{};
  CHECK_FALSE(failed(exchange));
  exchange.subject.nfs_status = 2;
  CHECK(failed(exchange));
  exchange.subject.nfs_status.reset();
  exchange.answer->accept_stat = rpcrdma::AcceptStat::proc_unavail;
  CHECK(failed(exchange));
  exchange.answer.reset();
  exchange.status = flow::Status::transport_error;
  CHECK(failed(exchange));
  exchange.status = flow::Status::no_reply;
  CHECK_FALSE(failed(exchange));
}

TEST_CASE("the status of NFS that has no name is a number") {
  flow::Exchange exchange;
  exchange.status = flow::Status::complete;
  exchange.subject.nfs_status = 4711;
  CHECK(failure(exchange) == "status 4711");
  exchange.subject.nfs_status_name = "NFS4ERR_STALE";
  CHECK(failure(exchange) == "NFS4ERR_STALE");
}

}  // namespace steertag::stats
