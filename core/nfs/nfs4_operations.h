// The table of NFSv4 operations: one line an operation, with the shapes of its
// arguments and of its result and the minor version that it came with. nfs4.cc
// walks a COMPOUND by it.
#pragma once

#include <cstdint>

#include "nfs/procedure.h"

namespace steertag::nfs {

struct Operation : Procedure {
  uint32_t since = 0;  // minor version
};

// Null where the opcode is not known, or is not of this minor version.
const Operation* operation(uint32_t opcode, uint32_t minor_version);

}  // namespace steertag::nfs
