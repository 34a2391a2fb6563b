#include <fmt/core.h>

#include <string_view>

#include "report/diff.h"
#include "report/json_writer.h"
#include "report/names.h"
#include "report/record/json_teller.h"
#include "report/record/summary.h"
#include "report/stats.h"
#include "stats/operation.h"

namespace steertag::report {

namespace {

using diff::Difference;
using diff::Unit;

constexpr std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::count:
      return "count";
    case Unit::bytes:
      return "bytes";
    case Unit::ns:
      return "us";
  }
  return {};
}

void about_fault(JsonWriter& json, const diff::Fault& fault) {
  json.text("rule", fault.rule->id);
  json.text("severity", name(fault.severity));
  json.text("certainty", name(fault.certainty));
  json.text("blame", name(fault.blame));
  if (fault.version != 0) {
    json.number("version", fault.version);
  }
  if (!fault.op.empty()) {
    json.text("op", fault.op);
  }
  json.text("fingerprint", fmt::format("{:016x}", fault.fingerprint));
}

void about(JsonWriter& json, const Difference& difference) {
  if (difference.operation && difference.operation->known()) {
    json.text("op", difference.operation->op);
    json.text("protocol", stats::protocol(*difference.operation));
  }
  if (difference.fault) {
    about_fault(json, *difference.fault);
  }
  if (difference.rule != nullptr) {
    json.text("rule", difference.rule->id);
    json.number("undecided_before", difference.undecided_before);
    json.number("undecided_after", difference.undecided_after);
  }
  if (!difference.measure.empty()) {
    json.text("measure", difference.measure);
  }
}

void value(JsonWriter& json, const Difference& difference, std::string_view key, const diff::Amount& amount) {
  json.number(key, difference.unit == Unit::ns ? whole_us(static_cast<int64_t>(amount.value)) : amount.value);
  if (amount.of != 0) {
    json.number(fmt::format("{}_of", key), amount.of);
  }
}

void look(JsonWriter& json, std::string_view key, const std::optional<Stamp>& at, const Files& files) {
  if (at) {
    json.number(fmt::format("{}_frame", key), at->number);
    json.text(fmt::format("{}_file", key), files.name(at->file));
  }
}

}  // namespace

void json_difference(Buffer& out, const Difference& difference, const DiffReport& report) {
  JsonWriter json(out);
  json.object();
  json.text("type", "difference");
  json.text("kind", diff::kind_names[static_cast<size_t>(difference.kind)]);
  json.text("what", difference.what);
  about(json, difference);
  json.text("unit", unit_name(difference.unit));
  value(json, difference, "before", difference.before);
  value(json, difference, "after", difference.after);
  json.boolean("regression", difference.regression);
  look(json, "before", difference.seen_before, report.before.files);
  look(json, "after", difference.seen_after, report.after.files);
  json.end_object();
  json.end_line();
}

void json_diff_summary(Buffer& out, const DiffReport& report, std::string_view interrupted) {
  const Counters &before = report.before.counters, &after = report.after.counters;
  Summary both;
  both.files = report.before.files.names.size() + report.after.files.names.size();
  both.counters.frames = before.frames + after.frames;
  both.counters.messages = before.messages + after.messages;
  both.counters.exchanges = before.exchanges + after.exchanges;
  both.counters.connections = before.connections + after.connections;
  both.counters.lost = before.lost + after.lost;
  both.cut = !interrupted.empty()         ? interrupted
             : !report.before.cut.empty() ? report.before.cut
                                          : report.after.cut;
  both.damaged = report.before.damaged || report.after.damaged;
  record::print(out, record::Summary{both, &report, interrupted.empty()});
}

}  // namespace steertag::report
