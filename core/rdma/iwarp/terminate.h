// terminate_name(): what the error code of an RDMAP Terminate message says, in words (RFC 5040 §4.8, RFC 5041
// §7.2, RFC 5044 §8, RFC 6581 §8). It has three numbers: a layer, a type of error, a code. Other combinations
// than those of the documents have an empty name.
#pragma once

#include <cstdint>
#include <string_view>

#include "rdma/op.h"

namespace steertag::rdma::iwarp {

// "RDMAP: invalid STag", "MPA: CRC error".
std::string_view terminate_name(uint8_t layer, uint8_t etype, uint8_t code);

// Whether a Terminate complains of the CRC of an FPDU (RFC 5044 §8).
constexpr bool is_crc_error(const Fault& fault) {
  return fault.layer == 2 && fault.etype == 0 && fault.code == 2;
}

}  // namespace steertag::rdma::iwarp
