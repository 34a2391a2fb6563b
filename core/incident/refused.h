// Requests that a server refused again and again, as incidents: those that it put off, of one client; that it
// is in its grace period; that it does not know its clients' sessions. What happened to several requests at a
// time is told once.
#pragma once

#include <vector>

#include "incident/collected.h"
#include "incident/incident.h"
#include "stats/judge.h"

namespace steertag::incident {

std::vector<Incident> refused_incidents(const Collected& collected);

// Whether `remark` says no more than these do. Precondition: it is about failures.
bool is_told(const std::vector<Incident>& refused, const stats::Remark& remark);
// The same of one that is about the time of RPCs: a late answer to a recall that requests waited for.
bool is_told_recall(const std::vector<Incident>& refused, const stats::Remark& remark);

// Whether `incident` is about connections whose server restarted, as `refused` shows: it was in its grace
// period soon after, or did not know its clients any more.
bool explains_refused(const Incident& incident, const Incident& refused);
// Makes it a part of that. Precondition: explains_refused().
void add_refused(Incident& incident, Incident&& refused);

}  // namespace steertag::incident
