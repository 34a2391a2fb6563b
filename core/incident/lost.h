// Connections that were lost: those that ended although RPCs needed them. Those of one server that go within
// half a minute are one incident, with what goes with it: the complaint that ended them and the violation
// that explains it, the Calls that waited, the attempts to connect again, and when the client was back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "incident/collected.h"
#include "incident/incident.h"
#include "stats/judge.h"

namespace steertag::incident {

struct LostConnections {
  std::vector<Incident> incidents;
  std::map<uint32_t, size_t> connections;  // by number; which of the incidents it is part of
  std::set<uint32_t> not_ready;            // of these, those that RNR NAKs explain
  // Which of Collected::attempts, and of the violations, are part of them.
  std::vector<bool> attempts, violations;
};

// `remarks`: all that stands out.
LostConnections lost_connections(const Collected& collected, const std::vector<stats::Remark>& remarks);

}  // namespace steertag::incident
