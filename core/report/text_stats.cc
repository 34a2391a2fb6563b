#include "report/text_stats.h"

#include <algorithm>
#include <string_view>

#include "report/table.h"
#include "report/text_intervals.h"
#include "report/units.h"
#include "stats/operation.h"

namespace steertag::report {
namespace {

using stats::Group;
using stats::Groups;
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
  return text.empty() ? "all" : text;
}

std::string key_heading(const stats::Grouping& by) {
  return by.op           ? "operation"
         : by.connection ? "connection"
         : by.server     ? "server"
         : by.client     ? "client"
                         : "";
}

std::string share_text(uint64_t part, uint64_t whole) {
  return whole == 0 ? "-" : percent_text(part, whole);
}

// "serve 91 %": the phase in which most of the time went by.
std::string phase_text(const Totals& totals) {
  if (totals.delivered.count() == 0 || totals.delivered.sum_ns() == 0) {
    return "-";
  }
  const Totals::Longest longest = totals.longest_part();
  return fmt::format("{} {}", longest.name, share_text(longest.ns, totals.delivered.sum_ns()));
}

constexpr ptrdiff_t kRetriesColumn = 3;  // where anything was sent again

std::vector<std::string> cells(const std::string& name, const Totals& totals, const Totals& all) {
  const stats::Durations& delivered = totals.delivered;
  const auto shown = [&](int64_t ns) { return delivered.count() == 0 ? "-" : duration_text(ns); };
  const bool any = delivered.count() != 0;
  std::vector<std::string> cells = {name,
                                    std::to_string(totals.count),
                                    std::to_string(totals.failed),
                                    shown(any ? delivered.mean() : 0),
                                    shown(any ? delivered.percentile(0.5) : 0),
                                    shown(any ? delivered.percentile(0.99) : 0),
                                    shown(any ? delivered.greatest() : 0),
                                    share_text(delivered.sum_ns(), all.delivered.sum_ns()),
                                    size_text(totals.arguments),
                                    size_text(totals.results),
                                    phase_text(totals)};
  if (all.retries != 0) {
    cells.insert(cells.begin() + kRetriesColumn, std::to_string(totals.retries));
  }
  return cells;
}

}  // namespace

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
