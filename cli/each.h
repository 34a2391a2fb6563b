// steertag audit --each: every capture audited as if it were alone, several at a time, each on one thread;
// and what they all add up to. What is printed is in the order of the captures, whichever is finished first.
#pragma once

#include "auditor.h"

namespace steertag::cli {

// Returns the worst of the exit statuses. A capture that cannot be read does not keep the others from being
// audited.
int audit_each(const AuditOptions& options);

}  // namespace steertag::cli
