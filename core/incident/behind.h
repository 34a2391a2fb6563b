// What waits behind a callback that is not answered: Calls that name a file, perhaps one whose delegation
// the server asks for. They may be of another connection, or of the same client. They are told with the
// callback, since others wait for the client that has to answer it.
#pragma once

#include <vector>

#include "incident/fates.h"
#include "incident/incident.h"
#include "incident/recalls.h"
#include "stats/judge.h"

namespace steertag::incident {

// The Calls that hang on that connection. Precondition: `incident` is a Hang of callbacks.
void add_behind(Incident& incident, const Fate& fate);

// Whether the Calls that stand out may have waited for a recall.
bool may_be_held_up(const stats::Remark& remark);
// What stands out of a server's operation may be what waited for recalls: adds each of these Calls to the one
// of `found` that tells of its recall. False, and nothing is added, where something else would be left to
// tell, or nothing tells of a recall.
bool add_held_up(std::vector<Incident>& found, const stats::Remark& remark, const Recalls& recalls);

}  // namespace steertag::incident
