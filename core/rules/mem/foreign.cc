// RDMA operations that RPC-over-RDMA does not use.

#include "rules/report.h"

namespace steertag::rules {
namespace {

Outcome check_foreign_operation(const flow::Incident& incident, Report& report) {
  const rdma::Anomaly* anomaly = incident.anomaly();
  if (anomaly == nullptr || anomaly->kind != rdma::Anomaly::Kind::foreign) {
    return Outcome::not_applicable;
  }
  switch (anomaly->operation) {
    case rdma::OpKind::send:
      report("Send with Immediate; RPC-over-RDMA uses only plain Sends and Send With Invalidate");
      break;
    case rdma::OpKind::write:
      report("RDMA Write with Immediate; RPC-over-RDMA uses only plain RDMA Writes");
      break;
    default:
      report("RDMA operation other than Send, RDMA Write and RDMA Read");
      break;
  }
  return Outcome::done;
}

// What is used instead, so that the count of what was looked at means something.
Outcome check_common_operation(const flow::Access&, Report&) {
  return Outcome::done;
}

}  // namespace

constinit const Rule foreign_operation = {
    .id = "MEM-12",
    .name = "foreign-operation",
    .severity = Severity::warning,
    .source = {"RFC 8166", "2.3.2"},
    .access = check_common_operation,
    .incident = check_foreign_operation,
    .plain_access = plain::kept,
};

}  // namespace steertag::rules
