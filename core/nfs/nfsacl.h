// NFSACL, program 100227, which has no RFC: the ACLs of NFSv2 and NFSv3 as
// Solaris defined them and Linux has them. Version two also has GETATTR and
// ACCESS, since its files have no other way to ask for them. Nothing in it is
// DDP-eligible (RFC 8267 §5), but an ACL may well be a Long Message.
#pragma once

#include "nfs/procedure.h"

namespace steertag::nfs {

const Procedure* nfsacl_procedure(uint32_t version, uint32_t number);  // null where there is none

}  // namespace steertag::nfs
