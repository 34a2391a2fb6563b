// The tables of NFSv4 operations: one line an operation, with the shapes of its
// arguments and of its result and the minor version that it came with. nfs4.cc
// walks a COMPOUND or a CB_COMPOUND by them; each numbers its operations by itself.
#pragma once

#include <cstdint>

#include "nfs/procedure.h"

namespace steertag::nfs {

struct Operation : Procedure {
  uint32_t since = 0;  // minor version
};

template <typename Arguments, typename Results>
constexpr Operation op(uint32_t number, uint32_t since, std::string_view name) {
  return {row<Arguments, Results>(number, name), since};
}

// Null where the opcode is not known, or is not of this minor version.
const Operation* operation(uint32_t opcode, uint32_t minor_version);
const Operation* callback_operation(uint32_t opcode, uint32_t minor_version);

}  // namespace steertag::nfs
