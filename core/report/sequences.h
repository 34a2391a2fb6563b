// Sequence numbers over time, for the chart of the report's page: the records "sequence", one of each end
// of a connection that has sent something. Times count from the earliest point, numbers from the lowest.
// Appends whole lines.
#pragma once

#include "report/buffer.h"
#include "timing/sequences.h"
#include "track/connection.h"

namespace steertag::report {

// {"type":"sequence"}
void json_sequences(Buffer& out, const track::Connection& connection, const timing::Sequences& sequences);

}  // namespace steertag::report
