// Attempts as reports print them: the tries of a client to set up a connection for
// NFS/RDMA that failed, as a record, or in several lines as a connection is told.
// Each function appends whole lines.
#pragma once

#include "attempt/attempt.h"
#include "report/buffer.h"
#include "report/files.h"
#include "report/text.h"

namespace steertag::report {

// {"type":"attempt"}
void json_attempt(Buffer& out, const attempt::Attempt& attempt, const Files& files);

// As a connection is told by text_connection(), in several lines. `number`: among the attempts, from 1.
void text_attempt(Buffer& out, const attempt::Attempt& attempt, size_t number, const TextStyle& style);

}  // namespace steertag::report
