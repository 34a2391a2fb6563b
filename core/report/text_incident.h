// Sentences of single kinds of incidents, of which sentence() of report/incident.h chooses: each has a file
// of its own where it is long. What several of these sentences say is here, too. No sentence ends with a full
// stop.
#pragma once

#include <string>

#include "incident/incident.h"
#include "report/text.h"

namespace steertag::report {

// "Connection #1 between 10.0.0.1 and 10.0.0.2 was lost: ...".
std::string told(const incident::Lost& lost, const incident::Incident& incident, const TextStyle& style);

// "was in its grace period for 45.0 s: it answered 12 requests of 10.0.0.1 with NFS4ERR_GRACE, as in frame
// 60; frame 90 shows that it is over".
std::string refused_text(const incident::Refused& refused, const TextStyle& style);

}  // namespace steertag::report
