// Whether an operation of NFSv4.1 asks for a back channel on its connection, or grants one: CREATE_SESSION by
// a flag (RFC 8881 §18.36.3), BIND_CONN_TO_SESSION by a direction (§18.34.3). The Call asks, and the Reply
// grants, in the same words.
#pragma once

#include "nfs/nfs4.h"
#include "nfs/walk.h"

namespace steertag::nfs {

// False where that was not captured.
inline bool says_back_channel(const SessionStep& step) {
  const uint32_t bit = step.opcode == op_create_session ? create_session_conn_back_chan : bind_conn_back;
  return step.said && (*step.said & bit) != 0;
}

}  // namespace steertag::nfs
