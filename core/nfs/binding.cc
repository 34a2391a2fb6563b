#include "nfs/binding.h"

#include "nfs/nfs4.h"
#include "rpcrdma/programs.h"

namespace steertag::nfs {
namespace {

constexpr Binding nothing = {Eligible::none, Eligible::none};
constexpr Binding argument = {Eligible::some, Eligible::none};
constexpr Binding result = {Eligible::none, Eligible::some};

struct Numbers {
  uint32_t readlink, read, write, symlink, last;
};
constexpr Numbers nfs2 = {5, 6, 8, 13, 17};
constexpr Numbers nfs3 = {5, 6, 7, 10, 21};

Binding by_number(const Numbers& numbers, uint32_t procedure) {
  if (procedure > numbers.last) {
    return {};
  }
  if (procedure == numbers.write || procedure == numbers.symlink) {
    return argument;
  }
  return procedure == numbers.read || procedure == numbers.readlink ? result : nothing;
}

Binding of_nfs(uint32_t version, uint32_t procedure) {
  if (version == 4 && procedure == compound) {
    return {Eligible::by_operation, Eligible::by_operation};
  }
  return version == 2                     ? by_number(nfs2, procedure)
         : version == 3                   ? by_number(nfs3, procedure)
         : version == 4 && procedure == 0 ? nothing
                                          : Binding{};
}

}  // namespace

Binding binding(uint32_t program, uint32_t version, uint32_t procedure) {
  if (program == rpcrdma::program_nfs) {
    return of_nfs(version, procedure);
  }
  const bool known = !rpcrdma::program_name(program).empty() || rpcrdma::nfs4_callback(program, version);
  return known ? nothing : Binding{};
}

bool call_only(uint32_t program, uint32_t version, uint32_t procedure) {
  // SPRAY of the spray program: packets are counted, none is answered.
  return program == 100012 && version == 1 && procedure == 1;
}

}  // namespace steertag::nfs
