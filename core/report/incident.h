// Incidents as reports print them: a heading and a sentence for people, a record for programs. The sentence
// begins with a capital letter and has no full stop: it says what happened, whom it hit, and how it ended,
// with the frames that show it.
#pragma once

#include <span>
#include <string>

#include "incident/incident.h"
#include "report/buffer.h"
#include "report/files.h"
#include "report/text.h"

namespace steertag::report {

// "hang, since 15:04:05.012; look at the server, frame 16".
std::string heading(const incident::Incident& incident, const TextStyle& style);
std::string sentence(const incident::Incident& incident, const TextStyle& style);

// Beside findings: all of them, numbered, each a heading with its sentence below. Those of the kind violation
// are left out, since their findings are there.
void text_incidents(Buffer& out, std::span<const incident::Incident> incidents, const TextStyle& style);

// {"type":"incident"}
void json_incident(Buffer& out, const incident::Incident& incident, const TextStyle& style);

}  // namespace steertag::report
