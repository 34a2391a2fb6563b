// Asides held against the errors that were due to them: messages of version two
// that belong to no RPC. An RPC's own Call is judged with its Exchange; here are
// RDMA2_OPTIONALs, and what a server sent that cannot be decoded (whatever a
// client sends so is taken for a Call).
//
// Judged at the end of a connection, for rules of this family.
#pragma once

#include "rules/ending.h"
#include "rules/report.h"

namespace steertag::rules {

// A header that cannot be read is answered by an error, not as if it were sound (version-two-02 §5.2.4).
Outcome check_broken_asides(const Ending& ending, Report& report);

// Nor is a value that is none of its type (xcharext-02 §2.1): this RESPXCH accepts one.
Outcome check_invalid_value_taken(const flow::Message& message, Report& report);

// So is an rdma_proc that does not exist.
Outcome check_unknown_asides(const Ending& ending, Report& report);

}  // namespace steertag::rules
