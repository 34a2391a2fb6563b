// work_out(): where the time of an Exchange went, from what was noted of it while it went
// on. A function of its Timeline and of what was late on its connection; what concerns other
// Calls, attempts and credits, is noted elsewhere.
#pragma once

#include "flow/exchange.h"
#include "timing/acceptance.h"

namespace steertag::timing {

// What was late meanwhile, of what its two ends sent.
struct Lateness {
  const Acceptance& calls;      // of the Requester
  const Acceptance& responses;  // of the Requester: its Read Responses
  const Acceptance& answers;    // of the Responder
};

// Fills in Exchange::timing, but for what concerns other Calls: attempts, credits.
void work_out(Exchange& exchange, const Lateness& late);

}  // namespace steertag::timing
