#include <string>

#include "report/incident.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "report/text_stats.h"

namespace steertag::report {

void text_incidents(Buffer& out, std::span<const incident::Incident> incidents, const TextStyle& style) {
  size_t number = 0;
  for (const incident::Incident& incident : incidents) {
    if (incident.kind == incident::Kind::violation) {
      continue;
    }
    const std::string first = fmt::format("{}. ", ++number);
    put(out, style.palette.title);
    put_wrapped(out, first, heading(incident, style), line_width(style));
    put(out, style.palette.reset);
    put_wrapped(out, std::string(first.size(), ' '), sentence(incident, style) + ".", line_width(style));
  }
}

}  // namespace steertag::report
