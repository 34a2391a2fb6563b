// What stands out in the statistics of a capture, as incidents: waiting for credits or for what was lost, a
// server that is slow, a network that is congested. Only what is grave enough that somebody asks what
// happened: what merely took more time than it might is for the statistics.
#pragma once

#include <vector>

#include "incident/incident.h"
#include "stats/judge.h"
#include "stats/load.h"

namespace steertag::incident {

// Slow enough: one RPC took very long, or all of them long. Of what is not about time: always.
bool is_grave(const stats::Remark& remark);

// Of all connections, by number; null: it is none of them.
const stats::Load* load_of(const std::vector<const stats::Load*>& loads, track::ConnectionNumber number);

Incident incident_of(const stats::Remark& remark, const std::vector<const stats::Load*>& loads);

// Which rules find what it tells.
void note_rules(Incident& incident, const Violations& violations);

// Adds it to `found`. What is true of several connections to one server is told once; and so is a loss, in
// whatever ways it shows. Precondition: it is of incident_of().
void join(std::vector<Incident>& found, Incident&& incident);

}  // namespace steertag::incident
