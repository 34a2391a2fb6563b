// Statistics for programs: the records "stat", one a group and interval, "disturbances" and "pace", one a
// connection and interval, "load", one a connection, and "note", one for each thing that stands out, as JSON
// Lines; the first also as CSV (RFC 4180), a line each below a heading. Each function appends one line, but
// for "pace": one of each interval. Times are whole microseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "report/buffer.h"
#include "report/text.h"
#include "stats/disturbances.h"
#include "stats/groups.h"
#include "stats/judge.h"
#include "stats/load.h"
#include "stats/pace.h"

namespace steertag::report {

// One line: a group, an interval of one, or all RPCs beyond the bound of groups.
struct Stat {
  const stats::Grouping& by;
  const stats::Key* key = nullptr;     // null: of no group
  std::optional<int64_t> interval_ns;  // its start
  const stats::Totals& totals;
  bool reported = false;  // for a report: also what the means are of
};

// {"type":"stat"}
void json_stat(Buffer& out, const Stat& stat);
void csv_heading(Buffer& out, const stats::Grouping& by);
void csv_stat(Buffer& out, const Stat& stat);
// Text as a value of a line: with a comma, a quote or a line break in it, it is quoted, and its quotes are
// doubled.
void csv_value(Buffer& out, std::string_view value);

// {"type":"disturbances"}: of one connection and interval; of none, pause frames. Without an interval: of all
// beyond the bound.
void json_disturbances(Buffer& out, track::ConnectionNumber number, std::optional<int64_t> start_ns,
                       const stats::Disturbances::Interval& interval);

// {"type":"load"}
void json_load(Buffer& out, const stats::Load& load);

// {"type":"pace"}
void json_pace(Buffer& out, track::ConnectionNumber number, const stats::Pace& pace);

// {"type":"note"}: what stands out, as the text says it.
void json_note(Buffer& out, const stats::Remark& remark, const TextStyle& style);

// As in the record "rpc": what has passed of the last one does not count.
constexpr uint64_t whole_us(int64_t ns) {
  return ns <= 0 ? 0 : static_cast<uint64_t>(ns) / 1000;
}

}  // namespace steertag::report
