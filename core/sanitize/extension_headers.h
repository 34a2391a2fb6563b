// Extension headers of IPv6, and the authentication header of IPv4, in a sanitized capture. Each names the
// protocol of what follows it, and tells its own length; these stay. What options, routes and checksums they
// hold does not.
#pragma once

#include <absl/container/inlined_vector.h>

#include <cstddef>
#include <cstdint>

#include "base/bytes.h"

namespace steertag::sanitize {

// What says of each header in the row what it is, and how long: RFC 8200 §4. None where one of them is none.
// `protocol`: of what is at `begin`. `length`: bytes of the datagram, as it says.
using ExtensionFronts = absl::InlinedVector<Bytes, 16>;
ExtensionFronts extension_fronts(Bytes datagram, size_t length, uint8_t protocol, size_t begin);

}  // namespace steertag::sanitize
