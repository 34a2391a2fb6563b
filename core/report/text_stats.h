// Statistics for people: a table of the groups, a line a connection, and in words what stands out, with the
// frame to look at. All of it fits line_width(). Each function appends whole lines.
// Programs should read the JSON records instead (report/stats.h); text may change.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "incident/incident.h"
#include "report/buffer.h"
#include "report/text.h"
#include "stats/disturbances.h"
#include "stats/groups.h"
#include "stats/judge.h"
#include "stats/load.h"

namespace steertag::report {

// Characters of a line: 80 where the style has no width.
inline size_t line_width(const TextStyle& style) {
  return style.width == 0 ? 80 : style.width;
}

// One line a group, that in which the most time was spent first. With intervals: how its mean time went, as
// one small bar for each, or for several where there is not enough room; and below, in the same bars, when
// connections were disturbed, where they were. `disturbances` may be null.
void text_stats(Buffer& out, const stats::Groups& groups, const TextStyle& style,
                const stats::Disturbances* disturbances = nullptr);

// One paragraph a connection, of the first so many.
inline constexpr size_t kMostLoadLines = 16;
void text_loads(Buffer& out, const stats::Loads& loads, const TextStyle& style);

// What happened, the gravest so many, each line behind "! "; and what stands out, the dearest so many, behind
// "* ", or that nothing does.
inline constexpr size_t kMostIncidents = 5, kMostRemarks = 10;
void text_remarks(Buffer& out, const stats::Counted& counted, const TextStyle& style,
                  std::span<const incident::Incident> happened = {});
// One of them, as a sentence.
std::string sentence(const stats::Remark& remark, const TextStyle& style);

// Values as bars of eight heights, the greatest of them full; negative: a blank.
std::string spark_line(const std::vector<double>& values, bool utf8);

// Precondition: the Remark is of such a kind.
std::string network_sentence(const stats::Remark& remark, const TextStyle& style);

// Who sent again and again, and who did not acknowledge it. Precondition: one end was cut off.
std::string sent_in_vain(const stats::Load& load);

// Precondition: the Remark is about one of several times (stats::Remark::once).
std::string sentence_once(const stats::Remark& remark, const TextStyle& style);

}  // namespace steertag::report
