#include "rules/traffic.h"

#include "rpcrdma/header.h"

namespace steertag::rules {
namespace {

uint8_t kind_of_program(uint32_t program, uint32_t version) {
  switch (program) {
    case rpcrdma::program_nfs:
      return version < 4 ? nfs_early : nfs_four;
    case rpcrdma::program_mount:
    case rpcrdma::program_nlm:
    case rpcrdma::program_nsm:
    case rpcrdma::program_nfsacl:
      return nfs_beside;
    default:
      return any_traffic;
  }
}

}  // namespace

void Traffic::note(const flow::Message& message) {
  if (!flow::fixed_header_captured(message)) {
    return;
  }
  const rpcrdma::TransportHeader& header = *message.header;
  kinds_ |= header.version == 1 ? version_one : header.version == 2 ? version_two : any_traffic;
  if (header.is(rpcrdma::v2::Proc::optional)) {
    kinds_ |= characteristics;
  }
}

void Traffic::note(const flow::Exchange& exchange) {
  if (exchange.backward) {
    kinds_ |= backward;
  }
  if (exchange.procedure) {
    kinds_ |= kind_of_program(exchange.procedure->program, exchange.procedure->version);
  }
}

}  // namespace steertag::rules
