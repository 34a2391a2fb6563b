// What compare() finds of one operation: its number, its failures, its latencies, its sizes, its use of RDMA.
// Appended in the order of Kind. An operation that one side does not have differs in its number, and in how
// it fails. For the files of this folder alone.
#pragma once

#include "diff/compare.h"
#include "diff/profile.h"
#include "stats/operation.h"

namespace steertag::diff {

void compare_operation(const stats::Operation& operation, const OperationProfile& before,
                       const OperationProfile& after, const Thresholds& thresholds, Comparison& into);

}  // namespace steertag::diff
