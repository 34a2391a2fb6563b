// NFSACL, version three: what a Linux or Solaris client asks of a server beside
// NFSv3. No document describes it; the source of these systems does.
#include "scenario/procedures.h"
#include "scenario/xdr.h"

namespace steertag::scenario::acl {
namespace {

constexpr uint32_t kEntry = 12;       // bytes: type, id, permissions
constexpr uint32_t kAttributes = 84;  // fattr3

// The access ACL, in about `length` bytes, and an empty default ACL.
void entries(Xdr& xdr, uint32_t length) {
  const uint32_t count = length / kEntry;
  xdr.words({0xF, count, count});
  xdr.fixed(size_t{count} * kEntry, 1);
  xdr.words({0, 0});
}

}  // namespace

void put_arguments(Xdr& xdr, uint32_t procedure, const BulkSizes& arguments) {
  if (procedure == kNull) {
    return;
  }
  xdr.opaque(pattern(32, 1));
  if (procedure == kGetacl) {
    return xdr.u32(0xF);
  }
  entries(xdr, arguments.at(0));
}

void put_results(Xdr& xdr, uint32_t procedure, uint32_t status, const BulkSizes& results) {
  if (procedure == kNull) {
    return;
  }
  xdr.words({status, 1});
  xdr.fixed(kAttributes, 2);
  if (procedure == kGetacl && status == 0) {
    entries(xdr, results.at(0));
  }
}

}  // namespace steertag::scenario::acl
