// How an RPC fared, as far as its Reply shows: rules about what a Reply owes its
// Call differ where there was no result. RPC itself says so in the Reply's
// header, NFS in the first word behind it.
#pragma once

#include "flow/exchange.h"
#include "flow/message.h"

namespace steertag::rules {

enum class Fared : uint8_t {
  unknown,  // not captured, hidden by RPCSEC_GSS, or of an unknown program
  succeeded,
  failed,  // denied, not accepted, or answered with an error of NFS
};

// `reply`: answers `call`, the open Exchange of its Standing.
Fared fared(const flow::Exchange& call, const flow::Message& reply);
Fared fared(const flow::Exchange& exchange);

}  // namespace steertag::rules
