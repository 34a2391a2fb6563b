// Collected: what incidents are made of: what became of each connection, which requests were refused again
// and again, what stands out in the statistics, what rules found, and the attempts to connect that failed.
// All of it is borrowed from whoever collected it, when the capture is over.
#pragma once

#include <cstdint>
#include <vector>

#include "attempt/attempt.h"
#include "incident/fates.h"
#include "incident/recalls.h"
#include "incident/repeated.h"
#include "incident/violations.h"
#include "stats/judge.h"

namespace steertag::incident {

struct Collected {
  const stats::Counted& counted;
  const Fates& fates;
  const Repeated& repeated;
  const Recalls& recalls;
  const Violations& violations;
  const std::vector<attempt::Attempt>& attempts;
  int64_t answer_within_ns = 0;  // from so long on a Call that waits hangs
};

}  // namespace steertag::incident
