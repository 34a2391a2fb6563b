// Procedure: the shape of the arguments and of the results of one procedure, or
// of one operation of an NFSv4 COMPOUND. The tables in nfs2.cc, nfs3.cc and
// nfs4.cc are made of these, a line each.
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

}  // namespace steertag::nfs
