// How statistics went in the course of time, as one small bar for each interval, or for several where there
// is not enough room: the mean time of each group, and below, in the same bars, what disturbed connections.
// For the text_*.cc of this folder alone.
#pragma once

#include "report/buffer.h"
#include "report/table.h"
#include "report/text.h"
#include "stats/disturbances.h"
#include "stats/groups.h"

namespace steertag::report {

// Prints the table of groups, one a row, dearest first, then the rest where there is one, with a column of
// bars. `disturbances` may be null.
void put_intervals(Buffer& out, Table& table, const stats::Groups& groups,
                   const stats::Disturbances* disturbances, const TextStyle& style);

}  // namespace steertag::report
