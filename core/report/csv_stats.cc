#include <string>
#include <string_view>

#include "report/csv_line.h"
#include "report/stats.h"
#include "stats/operation.h"

namespace steertag::report {
namespace {

constexpr std::string_view percentiles[] = {"min", "mean", "p50", "p90", "p99", "p999", "max"};

// Of the rest: no group has such a name.
constexpr std::string_view csv_rest = "(rest)";

void csv_key(CsvLine& line, const Stat& stat) {
  const bool rest = stat.key == nullptr;
  const stats::Key& key = rest ? stats::Key() : *stat.key;
  const auto value = [&](const std::string& text) { line.text(rest ? csv_rest : std::string_view(text)); };
  if (stat.by.op) {
    value(key.operation.op);
    value(stats::protocol(key.operation));
  }
  if (stat.by.connection) {
    value(fmt::format("{}", key.connection));
  }
  if (stat.by.client) {
    value(key.client.text());
  }
  if (stat.by.server) {
    value(key.server.text());
  }
}

void csv_times(CsvLine& line, const stats::Totals& totals) {
  const stats::Durations& delivered = totals.delivered;
  line.number(delivered.count());
  if (delivered.count() == 0) {
    for (size_t i = 0; i < std::size(percentiles) + flow::kPhases + 2 + flow::kWaitedOns; ++i) {
      line.nothing();
    }
    return;
  }
  for (const int64_t ns :
       {delivered.least(), delivered.mean(), delivered.percentile(0.5), delivered.percentile(0.9),
        delivered.percentile(0.99), delivered.percentile(0.999), delivered.greatest()}) {
    line.number(whole_us(ns));
  }
  for (size_t i = 0; i < flow::kPhases; ++i) {
    line.number(whole_us(totals.mean_ns(static_cast<flow::Phase>(i))));
  }
  for (const uint64_t sum_ns : {totals.earlier_ns, totals.recovery_ns}) {
    line.number(whole_us(static_cast<int64_t>(sum_ns / delivered.count())));
  }
  for (const uint64_t rpcs : totals.waited_on) {
    line.number(rpcs);
  }
}

}  // namespace

void csv_heading(Buffer& out, const stats::Grouping& by) {
  CsvLine line(out);
  if (by.op) {
    line.text("op");
    line.text("protocol");
  }
  if (by.connection) {
    line.text("conn");
  }
  if (by.client) {
    line.text("client");
  }
  if (by.server) {
    line.text("server");
  }
  if (by.interval_ns != 0) {
    line.text("interval");
  }
  for (const std::string_view what :
       {"count", "failed", "unanswered", "retries", "args_bytes", "results_bytes", "timed"}) {
    line.text(what);
  }
  for (const std::string_view what : percentiles) {
    line.text(fmt::format("delivered_{}_us", what));
  }
  for (const std::string_view phase : flow::phase_names) {
    line.text(fmt::format("{}_us", phase));
  }
  line.text(fmt::format("{}_us", flow::earlier_name));
  line.text("recovery_us");
  for (const std::string_view whom : flow::waited_on_names) {
    line.text(fmt::format("waited_on_{}", whom));
  }
  line.end();
}

void csv_stat(Buffer& out, const Stat& stat) {
  CsvLine line(out);
  csv_key(line, stat);
  if (stat.interval_ns) {
    line.text(fmt::format("{}.{:09}", *stat.interval_ns / 1'000'000'000, *stat.interval_ns % 1'000'000'000));
  } else if (stat.by.interval_ns != 0) {
    line.nothing();
  }
  for (const uint64_t value : {stat.totals.count, stat.totals.failed, stat.totals.unanswered,
                               stat.totals.retries, stat.totals.arguments, stat.totals.results}) {
    line.number(value);
  }
  csv_times(line, stat.totals);
  line.end();
}

}  // namespace steertag::report
