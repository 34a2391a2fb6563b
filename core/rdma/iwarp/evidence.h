// Evidence: how strongly the first bytes of a presumed FPDU suggest that it is one.
// Framer asks whether a header is possible at all; Resync adds up the evidence
// of a chain of headers before it believes in a boundary.
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace steertag::rdma::iwarp {

// Can this be the start of a DDP segment of `length` bytes on the wire?
// Lenient: reserved bits and the version 0 of early implementations pass, and
// so does what the capture cut off.
bool can_be_segment(Bytes ulpdu, uint16_t length);

// The header bytes that weigh() looks at, ULPDU_Length included.
inline constexpr uint32_t kWeighedBytes = 2 + 18;

// Bits of evidence (about -log2 of the chance that arbitrary bytes look like this) in
// the start of an FPDU, from its length field on; nullopt: it cannot be one.
// Strict: version 1 and zeros where RFC 5040 and 5041 want them.
// Precondition: at least kWeighedBytes bytes, or all of a shorter FPDU.
std::optional<unsigned> weigh(Bytes fpdu);

}  // namespace steertag::rdma::iwarp
