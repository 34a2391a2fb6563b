// The private data by which the two ends of a version-one connection introduce themselves.

#include <string>

#include "rules/ending.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

void judge_private_data(const track::Connection& connection, rdma::Side side, Report& report) {
  const track::End& end = connection.end(side);
  const rpcrdma::PrivateData& data = end.private_data;
  const Blame blame = !connection.client           ? Blame::undecided
                      : *connection.client == side ? Blame::requester
                                                   : Blame::responder;
  const std::string whose = fmt::format("Private data of {}", end.address.text());
  if (data.cut) {
    report("{} ends inside the RPC-over-RDMA block, which has 8 bytes", whose)
        .at(end.setup_at)
        .blame(blame, side);
  } else if (data.present && data.version != 1) {
    report("{} has format version {}, so it counts as absent", whose, data.version)
        .at(end.setup_at)
        .severity(Severity::note)
        .blame(blame, side);
  } else if (data.usable() && data.reserved_flags != 0) {
    report("{} has reserved flags {:#04x} set", whose, data.reserved_flags)
        .at(end.setup_at)
        .blame(blame, side);
  }
}

Outcome check_private_data(const Ending& ending, Report& report) {
  const track::Connection& connection = *ending.connection;
  if (connection.version == 2) {
    return Outcome::not_applicable;
  }
  bool any = false;
  for (const rdma::Side side : {rdma::Side::a, rdma::Side::b}) {
    const rpcrdma::PrivateData& data = connection.end(side).private_data;
    any |= data.present || data.cut;
    if (connection.setup_seen()) {
      judge_private_data(connection, side, report);
    }
  }
  return any ? Outcome::done : connection.setup_seen() ? Outcome::not_applicable : Outcome::undecided;
}

}  // namespace

constinit const Rule malformed_private_data = {
    .id = "CMP-01",
    .name = "malformed-private-data",
    .severity = Severity::warning,
    .source = {"RFC 8797", "4"},
    .needs = needs_setup,
    .ending = check_private_data,
};

}  // namespace steertag::rules
