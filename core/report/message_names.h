// The names of a message's procedure and error, as reports print them: by the
// version that the message itself carries. And how much of an extension's
// structure there is to print. Pure functions of their arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rpcrdma/header.h"
#include "wire/stop.h"

namespace steertag::report {

// "RDMA_MSG", "RDMA2_ERROR"; the number as text where the version has no such procedure.
inline std::string procedure_name(const rpcrdma::TransportHeader& header) {
  return rpcrdma::procedure_name(header.version, header.procedure);
}

// "ERR_CHUNK", "RDMA2_ERR_VERS"; precondition: header.error_code().
inline std::string error_name(const rpcrdma::TransportHeader& header) {
  return rpcrdma::error_name(header.version, *header.error_code());
}

// How many members of the structure in rdma_optinfo were read to their end, all
// of them where reading did not stop. The header's length does not say: a stop
// inside rdma_optinfo may still have found the end of rdma_optinfo. What the
// members are made of (xcharval) belongs to the first of each structure.
inline size_t members_read(const rpcrdma::v2::Optional& body, const std::optional<wire::Stop>& stop) {
  if (!stop) {
    return SIZE_MAX;
  }
  const std::string_view field = stop->field;
  if (field == "rdma_optinfo") {  // its length, or as many bytes as that says; else what follows the members
    return stop->offset <= body.at.offset + 12 ? 0 : SIZE_MAX;
  }
  return field == "optrespxch_pend"                                                              ? 2
         : field == "optixch_nochg" || field == "optrespxch_rej" || field == "optupdxch_pendclr" ? 1
                                                                                                 : 0;
}

}  // namespace steertag::report
