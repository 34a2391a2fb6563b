// The names of a message's procedure and error, as reports print them, and how
// much of an extension's structure there is to print.
//
// One message has two possible names: the answer of a Responder that does not
// know the version it was asked in. It copies that version (RFC 8166 §4.5), but
// what it says is RFC 8166's own, whose layout and values every version keeps
// (§7): RDMA_ERROR, ERR_VERS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rpcrdma/header.h"
#include "wire/stop.h"

namespace steertag::report {

// Whether this is RDMA2_ERROR from a Responder that does not support version two.
inline bool refuses_its_version(const rpcrdma::TransportHeader& header) {
  return header.error_v2 && header.error_v2->code == rpcrdma::v2::ErrorCode::vers &&
         header.error_v2->vers_high != 0 &&
         (header.version < header.error_v2->vers_low || header.version > header.error_v2->vers_high);
}

// The version by which its procedure and its error are named.
inline uint32_t naming_version(const rpcrdma::TransportHeader& header) {
  return refuses_its_version(header) ? 1 : header.version;
}

// "RDMA_MSG", "RDMA2_ERROR"; the number as text where the version has no such procedure.
inline std::string procedure_name(const rpcrdma::TransportHeader& header) {
  return rpcrdma::procedure_name(naming_version(header), header.procedure);
}

// "ERR_CHUNK", "RDMA2_ERR_CANT_REPLY"; precondition: header.error_code().
inline std::string error_name(const rpcrdma::TransportHeader& header) {
  return rpcrdma::error_name(naming_version(header), *header.error_code());
}

// How many members of the structure in rdma_optinfo were read to their end, all
// of them where reading did not stop. The header's length does not tell: a stop
// inside of rdma_optinfo may still have found the end of rdma_optinfo. What the
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
