// The names of a message's procedure and error, as reports print them.
//
// One message has two possible names: the answer of a Responder that does not
// know the version it was asked in. It copies that version (RFC 8166 §4.5), but
// what it says is RFC 8166's own, whose layout and values every version keeps
// (§7): RDMA_ERROR, ERR_VERS.
#pragma once

#include <string>

#include "rpcrdma/header.h"

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

}  // namespace steertag::report
