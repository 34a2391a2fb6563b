// NFSv2 as far as chunks have to do with it (RFC 1094 §2.2): the four procedures
// with a DDP-eligible item (RFC 8267 §4). Everything has a fixed size but names,
// paths and data; a file handle is 32 bytes without a count.
#pragma once

#include "nfs/procedure.h"

namespace steertag::nfs {

const Procedure* nfs2_procedure(uint32_t number);  // null where unknown

}  // namespace steertag::nfs
