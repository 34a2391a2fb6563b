// Connections that did not come up, as incidents: each attempt that failed, with what the client did next.
// Where none ever came up, all that one client tried at one server is one incident, however each try ended:
// it is told by the attempt that says most, and that is an answer before silence.
#pragma once

#include <vector>

#include "attempt/attempt.h"
#include "incident/incident.h"

namespace steertag::incident {

// Those of `attempts` that are not `told` already, one flag for each.
std::vector<Incident> unconnected_incidents(const std::vector<attempt::Attempt>& attempts,
                                            const std::vector<bool>& told);

}  // namespace steertag::incident
