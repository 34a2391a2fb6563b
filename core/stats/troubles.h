// What stands out in what happened to one connection as a whole, whatever its RPCs were about: receivers that
// were not ready, marks and pause frames of the network, times in which nothing got through, Calls that were
// taken over from an earlier connection, packets that overtook others. A part of judge(); a pure function.
#pragma once

#include <span>
#include <vector>

#include "stats/judge.h"

namespace steertag::stats {

// Adds them to `found`; `topics` says what RPCs were about.
void judge_troubles(const Load& load, std::span<const Topic* const> topics, std::vector<Remark>& found);

}  // namespace steertag::stats
