// NFSv3, all 22 procedures (RFC 1813 §3.3): the shapes of their arguments and
// results, from which call.cc and reply.cc know where an eligible item is and
// where the message has to end.
#pragma once

#include "nfs/procedure.h"

namespace steertag::nfs {

const Procedure* nfs3_procedure(uint32_t number);  // null where there is none

}  // namespace steertag::nfs
