// Puts together what belongs together: from what became of each connection, what stands out in the
// statistics, what rules found and which attempts to connect failed, the incidents of a capture. What a
// connection that was lost explains (Calls without a Reply, packets sent again in vain, attempts that failed
// meanwhile) is told with it and not again. Functions of what was collected.
#pragma once

#include <vector>

#include "incident/collected.h"
#include "incident/incident.h"

namespace steertag::incident {

// The gravest first, of several that are as grave the dearest.
std::vector<Incident> put_together(const Collected& collected);

}  // namespace steertag::incident
