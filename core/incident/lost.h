// Connections that were lost: those that ended although RPCs needed them. Those of one server that go within
// half a minute are one incident, with what goes with it: the complaint that ended them and the violation
// that explains it, the Calls that waited, the attempts to connect again, and when the client was back.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "incident/collected.h"
#include "incident/incident.h"
#include "stats/judge.h"

namespace steertag::incident {

struct LostConnections {
  std::vector<Incident> incidents;
  std::set<uint32_t> connections;  // by number
  std::set<uint32_t> not_ready;    // of these, those that RNR NAKs explain
  // Which of Collected::attempts, and of the violations, are part of them.
  std::vector<bool> attempts, violations;
};

// `remarks`: all that stands out.
LostConnections lost_connections(const Collected& collected, const std::vector<stats::Remark>& remarks);

// Whether `incident` is about connections whose server restarted, as `grace` shows: it was in its grace
// period soon after.
bool explains_grace(const Incident& incident, const Incident& grace);
// Makes it a part of that. Precondition: explains_grace().
void add_grace(Incident& incident, Incident&& grace);

}  // namespace steertag::incident
