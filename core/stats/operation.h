// Operation: what an RPC was sent for, by name: the operation of its Subject and the protocol that it is of,
// so that a GETATTR of NFSv4, of NFSv3 and of NFSACL are three. All of the callback programs are one
// protocol, whatever number their client chose.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

#include "flow/exchange.h"

namespace steertag::stats {

struct Operation {
  uint32_t program = 0, version = 0;  // 0: not known
  // "READ"; the number as text where there is no name; where the operation is not known, the procedure:
  // "COMPOUND".
  std::string op;

  bool known() const { return version != 0 || program != 0; }
  friend auto operator<=>(const Operation&, const Operation&) = default;
  friend bool operator==(const Operation&, const Operation&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Operation& o) {
    return H::combine(std::move(h), o.program, o.version, o.op);
  }
};

Operation operation_of(const flow::Exchange& exchange);

std::string protocol(const Operation& operation);  // "NFSv4", "program 400122 version 1"; "" where unknown
std::string name(const Operation& operation);      // "NFSv4 READ", "NFSv3 operation 99"; "?" where unknown

}  // namespace steertag::stats
