// What waits behind a callback that is not answered: Calls that name a file, perhaps one whose delegation
// the server asks for. They may be of another connection, or of the same client. They are told with the
// callback, since others wait for the client that has to answer it.
#pragma once

#include <vector>

#include "base/address.h"
#include "frame.h"
#include "incident/fates.h"
#include "incident/incident.h"
#include "stats/judge.h"

namespace steertag::incident {

// The callback was sent right after the Call.
bool at_once(const Waited& callback, const Stamp& call);

// The Calls that hang on that connection. Precondition: `incident` is a Hang of callbacks; so below.
void add_behind(Incident& incident, const Fate& fate);

// The one of `found` that explains what stands out: a Call took long, and its server had asked for a
// delegation right after it, in vain. Null where there is none.
Incident* recall_after(std::vector<Incident>& found, const stats::Remark& remark);
// Adds that Call, which `client` sent.
void add_answered(Incident& incident, const stats::Remark& remark, const base::Address& client);

}  // namespace steertag::incident
