// What came several times, long apart, is an incident each time: of two outages with an hour between them
// each has a begin, an end, and a cost of its own. That holds for times that are long by themselves, and
// where it is known that all went well between them. What comes more often is a habit, and told once.
#pragma once

#include <cstddef>
#include <vector>

#include "incident/incident.h"
#include "incident/lost_packets.h"
#include "stats/load.h"
#include "stats/spells.h"

namespace steertag::incident {

// So many times of one thing are told one by one.
inline constexpr size_t kMostApart = 8;

// `loads`: all connections, by number.
void tell_apart(std::vector<Incident>& found, const std::vector<const stats::Load*>& loads);

// Of these the packets whose loss `incident` tells; of one of several times, those that were lost then.
LostPackets lost_then(const stats::SpellsOf<LostPackets>& lost, const Incident& incident);

}  // namespace steertag::incident
