// Shared: what the Timekeepers of all connections of one Analyzer share: the Calls that may be sent again,
// and who says what an RPC was about.
// It outlives them all.
#pragma once

#include "timing/retries.h"
#include "timing/subject_reader.h"

namespace steertag::timing {

struct Shared {
  Retries retries;
  SubjectReader subjects;
};

}  // namespace steertag::timing
