// NFSACL, program 100227, which has no RFC: the ACLs of NFSv2 and NFSv3 as
// Solaris defined them and Linux has them. Version two also has GETATTR and
// ACCESS, since its files have no other way to ask for them. Nothing in it is
// DDP-eligible (RFC 8267 §5), but an ACL may well be a Long Message.

#include <iterator>

#include "nfs/procedure.h"

namespace steertag::nfs {
namespace acl {
namespace {

using Handle2 = FixedHandle;
using Attributes2 = Fixed<68>;         // fattr of NFSv2
using Attributes3 = Maybe<Fixed<84>>;  // post_op_attr of NFSv3
using Entries =
    Seq<U32, Array<Fixed<12>>>;  // how many there are; type, id and permissions of those that are listed
using Acl = Seq<U32, Entries, Entries>;  // which of the two were requested; access ACL, default ACL

constexpr Procedure version_two[] = {
    row<Void, Void>(0, "NULL"),
    row<Seq<Handle2, U32>, Ok<Attributes2, Acl>>(1, "GETACL"),
    row<Seq<Handle2, Acl>, Ok<Attributes2>>(2, "SETACL"),
    row<Handle2, Ok<Attributes2>>(3, "GETATTR"),
    row<Seq<Handle2, U32>, Ok<Attributes2, U32>>(4, "ACCESS"),
};

// Where an RPC fails, Linux and Solaris return attributes, others return nothing.
template <typename... Parts>
using Result = Switch<Case<0, Attributes3, Parts...>, Failed<IfAny<Attributes3>>>;

constexpr Procedure version_three[] = {
    row<Void, Void>(0, "NULL"),
    row<Seq<Handle, U32>, Result<Acl>>(1, "GETACL"),
    row<Seq<Handle, Acl>, Result<>>(2, "SETACL"),
};

}  // namespace
}  // namespace acl

const Procedure* nfsacl_procedure(uint32_t version, uint32_t number) {
  if (version == 2) {
    return number < std::size(acl::version_two) ? &acl::version_two[number] : nullptr;
  }
  return version == 3 && number < std::size(acl::version_three) ? &acl::version_three[number] : nullptr;
}

}  // namespace steertag::nfs
