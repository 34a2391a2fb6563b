#include "report/text_stats.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/printable.h"
#include "base/units.h"
#include "report/table.h"
#include "stats/operation.h"

namespace steertag::report {
namespace {

// How statistics went in the course of time, as one small bar for each interval, or for several where there
// is not enough room: the mean time of each group, and below, in the same bars, what disturbed connections.

using stats::Disturbances;
using stats::Group;
using stats::Groups;

// The time that the bars of all rows cover, cut into as many pieces as there are bars.
struct Axis {
  int64_t start_ns = 0, step_ns = 1;
  size_t bars = 0;
};

Axis axis_of(const Groups& groups, const Disturbances* disturbances, size_t most) {
  auto [first_ns, last_ns, intervals] = groups.span();
  if (intervals == 0) {
    return {};
  }
  if (disturbances != nullptr) {
    for (const auto& [place, interval] : disturbances->intervals()) {
      first_ns = std::min(first_ns, place.second);
      last_ns = std::max(last_ns, place.second);
    }
    intervals = static_cast<uint64_t>((last_ns - first_ns) / groups.by().interval_ns) + 1;
  }
  const uint64_t together = (intervals + most - 1) / most;  // intervals of one bar
  return {first_ns, static_cast<int64_t>(together) * groups.by().interval_ns,
          static_cast<size_t>((intervals + together - 1) / together)};
}

// The mean time of each piece.
std::vector<double> means(const Group& group, const Axis& axis) {
  std::vector<double> sums(axis.bars, 0), counts(axis.bars, 0);
  for (const auto& [start_ns, totals] : group.intervals) {
    const auto bar = static_cast<size_t>((start_ns - axis.start_ns) / axis.step_ns);
    sums[bar] += static_cast<double>(totals.delivered.sum_ns());
    counts[bar] += static_cast<double>(totals.delivered.count());
  }
  for (size_t i = 0; i < axis.bars; ++i) {
    sums[i] = counts[i] == 0 ? -1 : sums[i] / counts[i];
  }
  return sums;
}

// What disturbed connections, as the lines of its table name it.
struct Trouble {
  std::string_view name;
  uint64_t (*count)(const stats::Disturbed&);
};
constexpr std::array<Trouble, 8> kTroubles = {{
    {"sent again by clients", [](const stats::Disturbed& one) { return one.again[0]; }},
    {"sent again by servers", [](const stats::Disturbed& one) { return one.again[1]; }},
    {"NAKs", [](const stats::Disturbed& one) { return one.naks; }},
    {"RNR NAKs", [](const stats::Disturbed& one) { return one.rnr_naks; }},
    {"TCP zero windows", [](const stats::Disturbed& one) { return one.zero_windows; }},
    {"ECN marks", [](const stats::Disturbed& one) { return one.ecn_ce; }},
    {"CNPs", [](const stats::Disturbed& one) { return one.cnps; }},
    {"pause frames", [](const stats::Disturbed& one) { return one.pauses; }},
}};

// How much of it there was in each piece; a blank where there was none.
std::vector<double> counts(const Disturbances& disturbances, const Trouble& trouble, const Axis& axis) {
  std::vector<double> sums(axis.bars, 0);
  for (const auto& [place, interval] : disturbances.intervals()) {
    sums[static_cast<size_t>((place.second - axis.start_ns) / axis.step_ns)] +=
        static_cast<double>(trouble.count(interval.disturbed));
  }
  std::replace(sums.begin(), sums.end(), 0.0, -1.0);
  return sums;
}

// The bars begin where those of the table above do, `used` columns from the left, where there is room.
void put_disturbances(Buffer& out, const Disturbances& disturbances, const Axis& axis, size_t used,
                      const TextStyle& style) {
  const stats::Disturbed all = disturbances.all();
  size_t number_width = std::string_view("count").size();
  for (const Trouble& trouble : kTroubles) {
    number_width = std::max(number_width, std::to_string(trouble.count(all)).size());
  }
  const size_t room = used - std::min(used, number_width + 4);
  Table table({{"disturbed by", Table::Align::left, 0}, {"count", Table::Align::right, 0}});
  std::vector<std::string> lines;
  for (const Trouble& trouble : kTroubles) {
    if (trouble.count(all) != 0) {
      table.add({fmt::format("{:<{}}", trouble.name, room), std::to_string(trouble.count(all))});
      lines.push_back(spark_line(counts(disturbances, trouble, axis), style.utf8));
    }
  }
  table.add_column({"how many", Table::Align::left, 0}, lines);
  table.print(out, line_width(style), style.palette);
}

// Prints the table of groups, one a row, dearest first, then the rest where there is one, with a column of
// bars. `disturbances` may be null.
void put_intervals(Buffer& out, Table& table, const Groups& groups, const Disturbances* disturbances,
                   const TextStyle& style) {
  constexpr size_t kLeastBars = 10;
  const std::vector<const Group*> rows = groups.dearest_first();
  const size_t used = table.width(line_width(style) - std::min(line_width(style), kLeastBars + 2)) + 2;
  const Axis axis = axis_of(groups, disturbances,
                            std::max(kLeastBars, line_width(style) - std::min(line_width(style), used)));
  std::vector<std::string> lines;
  for (const Group* group : rows) {
    lines.push_back(spark_line(means(*group, axis), style.utf8));
  }
  lines.resize(rows.size() + (groups.rest().count != 0 ? 1 : 0));
  table.add_column({"mean time", Table::Align::left, 0}, lines);
  table.print(out, line_width(style), style.palette);
  if (axis.bars == 0) {
    return;
  }
  const bool disturbed = disturbances != nullptr && disturbances->all().any();
  if (disturbed) {
    put(out, '\n');
    const size_t begin = line_width(style) - std::min(line_width(style), axis.bars);
    put_disturbances(out, *disturbances, axis, std::min(used, begin), style);
    put(out, '\n');
  }
  put_wrapped(
      out, "",
      fmt::format("Each bar is {}, the first begins {} s after the first frame; the highest of a line "
                  "is its longest mean time{}.",
                  base::duration_text(axis.step_ns), base::seconds_text(axis.start_ns - style.origin_ns),
                  disturbed ? ", or its largest count" : ""),
      line_width(style));
}

using stats::Totals;

std::string key_text(const stats::Key& key, const stats::Grouping& by) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
  if (by.connection) {
    add(fmt::format("#{}", key.connection));
  }
  if (by.op) {
    add(stats::name(key.operation));
  }
  if (by.client) {
    add(key.client.text());
  }
  if (by.server) {
    add((by.client || by.op ? "at " : "") + key.server.text());
  }
  if (by.user) {
    add(key.user ? fmt::format("user {}", *key.user) : "no user");
  }
  if (by.file) {
    add(key.file.empty() ? "(file unknown)" : base::printable(key.file));
  }
  return text.empty() ? "all" : text;
}

std::string key_heading(const stats::Grouping& by) {
  return by.op           ? "operation"
         : by.connection ? "connection"
         : by.server     ? "server"
         : by.client     ? "client"
         : by.user       ? "user"
         : by.file       ? "file"
                         : "";
}

std::string share_text(uint64_t part, uint64_t whole) {
  return whole == 0 ? "-" : base::percent_text(part, whole);
}

// "serve 91 %": the phase in which most of the time went by; "waiting 94 %": for a Reply that did not come.
std::string phase_text(const Totals& totals) {
  if (totals.spent_ns() == 0) {
    return "-";
  }
  Totals::Longest longest = totals.longest_part();
  if (totals.waiting_ns > longest.ns) {
    longest = {"waiting", totals.waiting_ns};
  }
  return fmt::format("{} {}", longest.name, share_text(longest.ns, totals.spent_ns()));
}

constexpr ptrdiff_t kRetriesColumn = 3;  // where anything was sent again
constexpr ptrdiff_t kWaitingColumn = 7;  // without that one; where anything waited in vain

std::vector<std::string> cells(const std::string& name, const Totals& totals, const Totals& all) {
  const stats::Durations& delivered = totals.delivered;
  const auto shown = [&](int64_t ns) { return delivered.count() == 0 ? "-" : base::duration_text(ns); };
  const bool any = delivered.count() != 0;
  std::vector<std::string> cells = {name,
                                    std::to_string(totals.count),
                                    std::to_string(totals.failed),
                                    shown(any ? delivered.mean() : 0),
                                    shown(any ? delivered.percentile(0.5) : 0),
                                    shown(any ? delivered.percentile(0.99) : 0),
                                    shown(any ? delivered.greatest() : 0),
                                    share_text(totals.spent_ns(), all.spent_ns()),
                                    base::size_text(totals.arguments),
                                    base::size_text(totals.results),
                                    phase_text(totals)};
  if (all.waiting_ns != 0) {
    const auto longest = static_cast<int64_t>(totals.longest_waiting_ns);
    cells.insert(cells.begin() + kWaitingColumn, longest == 0 ? "-" : base::duration_text(longest));
  }
  if (all.retries != 0) {
    cells.insert(cells.begin() + kRetriesColumn, std::to_string(totals.retries));
  }
  return cells;
}

}  // namespace

std::string spark_line(const std::vector<double>& values, bool utf8) {
  constexpr std::array<std::string_view, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::string_view kPlain = ".:-=+*#@";
  const double most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  std::string line;
  for (const double value : values) {
    if (value < 0) {
      line += ' ';
      continue;
    }
    const size_t height = most <= 0 ? 0 : std::min<size_t>(7, static_cast<size_t>(value / most * 8));
    if (utf8) {
      line += kBars[height];
    } else {
      line += kPlain[height];
    }
  }
  return line;
}

void text_stats(Buffer& out, const Groups& groups, const TextStyle& style,
                const stats::Disturbances* disturbances) {
  using Align = Table::Align;
  std::vector<Table::Column> columns = {{key_heading(groups.by()), Align::left, 0},
                                        {"count", Align::right, 0},
                                        {"failed", Align::right, 6},
                                        {"mean", Align::right, 0},
                                        {"p50", Align::right, 7},
                                        {"p99", Align::right, 3},
                                        {"max", Align::right, 1},
                                        {"time", Align::right, 4},
                                        {"args", Align::right, 9},
                                        {"results", Align::right, 8},
                                        {"most in", Align::left, 5}};
  if (groups.all().waiting_ns != 0) {
    columns.insert(columns.begin() + kWaitingColumn, {"waiting", Align::right, 3});
  }
  if (groups.all().retries != 0) {
    columns.insert(columns.begin() + kRetriesColumn, {"retries", Align::right, 2});
  }
  Table table(std::move(columns));
  for (const Group* group : groups.dearest_first()) {
    table.add(cells(key_text(group->key, groups.by()), group->totals, groups.all()));
  }
  if (groups.rest().count != 0) {
    table.add(cells(fmt::format("beyond {} lines", Groups::kMaxStats), groups.rest(), groups.all()));
  }
  if (groups.by().interval_ns != 0) {
    return put_intervals(out, table, groups, disturbances, style);
  }
  table.print(out, line_width(style), style.palette);
}

}  // namespace steertag::report
