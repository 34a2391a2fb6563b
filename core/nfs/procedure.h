// Procedure: the shape of the arguments and of the results of one procedure, or
// of one operation of an NFSv4 COMPOUND. The tables in nfs2.cc, nfs3.cc,
// nfsacl.cc and nfs4_operations.cc are made of these, a line each. From them call.cc and reply.cc know where
// an eligible item is and where the message has to end.
#pragma once

#include <cstdint>
#include <string_view>

#include "nfs/shape.h"

namespace steertag::nfs {

struct Procedure {
  uint32_t number = 0;
  std::string_view name;
  Shape arguments = nullptr;
  Shape results = nullptr;
};

template <typename Arguments, typename Results>
constexpr Procedure row(uint32_t number, std::string_view name) {
  return {number, name, &Arguments::walk, &Results::walk};
}

// Null where there is none, or none is known.
const Procedure* nfs2_procedure(uint32_t number);
const Procedure* nfs3_procedure(uint32_t number);
const Procedure* nfsacl_procedure(uint32_t version, uint32_t number);

}  // namespace steertag::nfs
