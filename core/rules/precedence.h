// Which violation explains which: one root cause, one finding. Where two rules
// are broken by one message, one RPC or one RDMA operation, and the first
// explains the second, only the first is reported.
#pragma once

#include "rules/rule.h"

namespace steertag::rules {

bool explains(const Rule& cause, const Rule& effect);

}  // namespace steertag::rules
