#include <fmt/core.h>

#include <string>

#include "base/counted.h"
#include "base/printable.h"
#include "base/units.h"
#include "diff/difference.h"
#include "report/diff.h"
#include "report/markdown_text.h"
#include "report/names.h"
#include "report/table.h"
#include "report/text_stats.h"
#include "stats/operation.h"

namespace steertag::report {
namespace {

// A difference in words, for text and Markdown: what it is about, its value on both sides, by how much it
// changed, where to look. Text of one line each, printable, not escaped for any format.
// Pure functions of the difference.

struct DiffWords {
  std::string group;          // "network", "findings", "rules", "NFSv3 READ", "connections"
  std::string what;           // "p99"
  std::string before, after;  // "1.24 ms"
  std::string change;         // "x 3.7, p < 0.001"; empty where the values say it all
  std::string look;           // "new.pcap:33"; of the side that it is about
};

using diff::Amount;
using diff::Difference;
using diff::Kind;

std::string group_of(const Difference& difference) {
  if (difference.operation) {
    return stats::name(*difference.operation);
  }
  switch (difference.kind) {
    case Kind::finding:
      return "findings";
    case Kind::rule:
      return "rules";
    case Kind::network:
      return "network";
    default:
      return "connections";
  }
}

std::string fault_words(const diff::Fault& fault) {
  const std::string_view by = fault.blame == rules::Blame::requester   ? "Requester: "
                              : fault.blame == rules::Blame::responder ? "Responder: "
                                                                       : "";
  const std::string_view doubt = fault.certainty == rules::Certainty::possible ? "possibly " : "";
  return fmt::format("{}{}: {}{}{} [{}]", doubt, name(fault.severity), by, base::printable(fault.shape),
                     fault.op.empty() ? "" : " (" + base::printable(fault.op) + ")", fault.rule->id);
}

std::string what_of(const Difference& difference) {
  switch (difference.kind) {
    case Kind::finding:
      return fault_words(*difference.fault);
    case Kind::rule:
      return fmt::format("{} {}", difference.what, difference.rule->name);
    case Kind::operation:
      return "RPCs";
    case Kind::failure:
      return difference.what == "no Reply" ? difference.what
                                           : "failed with " + base::printable(difference.what);
    case Kind::size:
      return difference.what + " of an RPC";
    case Kind::calls:
      return difference.what + " Calls";
    case Kind::replies:
      return difference.what + " Replies";
    case Kind::chunks:
      return difference.measure == "RPCs"       ? "RPCs with " + difference.what
             : difference.measure == "segments" ? difference.what + ", segments"
                                                : difference.what + ", bytes " + difference.measure;
    case Kind::invalidation:
      return "Replies with remote invalidation";
    case Kind::credits:
      return "credits " + difference.what + ", at most";
    case Kind::connections:
      return difference.what == "connections" ? difference.what : "connections, " + difference.what;
    case Kind::retries:
    case Kind::latency:
    case Kind::network:
      return difference.what;
  }
  return {};
}

std::string rule_words(uint64_t verdicts, uint64_t undecided) {
  return verdicts != 0    ? "judged " + base::counted(verdicts, "time")
         : undecided == 0 ? std::string("never applied")
                          : "undecided " + base::counted(undecided, "time");
}

std::string value_of(const Difference& difference, const Amount& amount, uint64_t undecided) {
  switch (difference.unit) {
    case diff::Unit::ns:
      return base::duration_text(static_cast<int64_t>(amount.value));
    case diff::Unit::bytes:
      return base::size_text(amount.value);
    case diff::Unit::count:
      break;
  }
  if (difference.kind == Kind::rule) {
    return rule_words(amount.value, undecided);
  }
  if (amount.of == 0 || (amount.value == 0 && difference.kind == Kind::finding)) {
    return std::to_string(amount.value);
  }
  const bool part = difference.kind != Kind::finding && difference.kind != Kind::network &&
                    difference.measure != "segments";
  return part ? fmt::format("{} of {}", amount.value, amount.of)
              : fmt::format("{} in {}", amount.value, base::counted(amount.of, "RPC"));
}

// ", p = 0.02": the chance that it is none.
std::string chance_words(double chance) {
  return chance < 0.001 ? ", p < 0.001" : fmt::format(", p = {:.{}f}", chance, chance < 0.0095 ? 3 : 2);
}

// "x 3.7", "+25 %", "new", "gone": of shares, where there are any.
std::string change_of(const Difference& difference) {
  const auto share = [](const Amount& amount, bool of) {
    return static_cast<double>(amount.value) / (of && amount.of != 0 ? static_cast<double>(amount.of) : 1.0);
  };
  if (difference.kind == Kind::rule) {
    return {};
  }
  const bool of = difference.unit == diff::Unit::count;  // others are of one RPC
  const double before = share(difference.before, of), after = share(difference.after, of);
  if (before == 0 || after == 0) {
    return before == after ? "" : before == 0 ? "new" : "gone";
  }
  const std::string sure = difference.chance ? chance_words(*difference.chance) : std::string();
  if (after >= 2 * before) {
    return fmt::format("x {:.{}f}{}", after / before, after < 9.95 * before ? 1 : 0, sure);
  }
  return fmt::format("{:+.0f} %{}", 100 * (after / before - 1), sure);
}

std::string look_at(const Difference& difference, const DiffReport& report) {
  const auto place = [](const Stamp& at, const DiffSide& side) {
    return fmt::format("{}:{}", side.files.text(at.file), at.number);
  };
  const bool worse = !difference.seen_before || difference.after.value >= difference.before.value;
  if (difference.seen_after && worse) {
    return place(*difference.seen_after, report.after);
  }
  return difference.seen_before ? place(*difference.seen_before, report.before) : std::string();
}

DiffWords diff_words(const Difference& difference, const DiffReport& report) {
  return {group_of(difference),
          what_of(difference),
          value_of(difference, difference.before, difference.undecided_before),
          value_of(difference, difference.after, difference.undecided_after),
          change_of(difference),
          look_at(difference, report)};
}

// "3 differences, 1 of them a regression"; "No difference".
std::string verdict_words(const diff::Comparison& comparison) {
  const uint64_t worse = comparison.regressions();
  if (comparison.differences.empty()) {
    return "No difference";
  }
  return fmt::format("{}, {}", base::counted(comparison.differences.size(), "difference"),
                     worse == 0   ? "no regression"
                     : worse == 1 ? "1 of them a regression"
                                  : fmt::format("{} of them regressions", worse));
}

// "1032 frames, 158 RPCs, 1 connection; 0 errors, ..."
std::string side_words(const DiffSide& side) {
  std::string text =
      side.files.names.size() == 1
          ? side.files.text(0)
          : fmt::format("{} and {}", side.files.text(0), base::counted(side.files.names.size() - 1, "other"));
  text += fmt::format(" ({}, {}, {})", base::counted(side.counters.frames, "frame"),
                      base::counted(side.counters.exchanges, "RPC"),
                      base::counted(side.counters.connections, "connection"));
  return side.damaged ? text + ", damaged" : side.cut.empty() ? text : text + ", " + std::string(side.cut);
}

// What was not compared, and why; empty where there is nothing to say.
std::string limits_words(const DiffReport& report) {
  std::string text;
  if (const uint64_t few = report.comparison.too_few; few != 0) {
    text = fmt::format("Latencies were compared for {} of {}; the others have too few RPCs for that.",
                       report.comparison.timed, base::counted(report.comparison.timed + few, "operation"));
  }
  if (const uint64_t untold = report.before.untold + report.after.untold; untold != 0) {
    text += fmt::format("{}{} of more kinds than are told apart were not compared.", text.empty() ? "" : " ",
                        untold == 1 ? "One violation or RPC" : fmt::format("{} violations or RPCs", untold));
  }
  return text;
}

}  // namespace

diff::Faults faults(const Verdict& verdict) {
  return {verdict.alike().begin(), verdict.alike().end()};
}

void text_diff(Buffer& out, const DiffReport& report, const TextStyle& style, DiffExtent extent) {
  const size_t width = line_width(style);
  const bool whole = extent == DiffExtent::whole;
  if (whole) {
    put_wrapped(out, "before  ", side_words(report.before), width);
    put_wrapped(out, "after   ", side_words(report.after), width);
  }
  std::string group;
  for (const diff::Difference& difference : report.comparison.differences) {
    const DiffWords one = diff_words(difference, report);
    if (one.group != group) {
      if (whole || !group.empty()) {
        put(out, '\n');
      }
      paint(out, style.palette, style.palette.title, one.group);
      put(out, '\n');
      group = one.group;
    }
    std::string line = fmt::format("{}: {} -> {}", one.what, one.before, one.after);
    line += one.change.empty() ? "" : ", " + one.change;
    line += one.look.empty() ? "" : "; see " + one.look;
    put(out, difference.regression ? style.palette.bad : "");
    put_wrapped(out, difference.regression ? "! " : "  ", line, width);
    put(out, difference.regression ? style.palette.reset : "");
  }
  if (whole) {
    put(out, '\n');
  }
  if (whole || group.empty()) {
    const std::string_view mark = report.comparison.regressions() != 0 ? " (!)" : "";
    put_wrapped(out, "", fmt::format("{}{}", verdict_words(report.comparison), mark), width);
  }
  if (const std::string limits = limits_words(report); whole && !limits.empty()) {
    put_wrapped(out, "", limits, width);
  }
}

void markdown_diff(Buffer& out, const DiffReport& report) {
  const diff::Comparison& comparison = report.comparison;
  print(out, "### steertag diff: {}\n\n", verdict_words(comparison));
  print(out, "- before: {}\n- after: {}\n", markdown_cell(side_words(report.before)),
        markdown_cell(side_words(report.after)));
  if (!comparison.differences.empty()) {
    put(out, "\n|   | what | before | after | change | see |\n|---|---|---|---|---|---|\n");
  }
  for (const diff::Difference& difference : comparison.differences) {
    const DiffWords one = diff_words(difference, report);
    const std::string what = difference.operation ? one.group + ", " + one.what : one.what;
    print(out, "| {} | {} | {} | {} | {} | {} |\n", difference.regression ? "**regression**" : "",
          markdown_cell(what), markdown_cell(one.before), markdown_cell(one.after), markdown_cell(one.change),
          markdown_cell(one.look));
  }
  if (const std::string limits = limits_words(report); !limits.empty()) {
    print(out, "\n{}\n", markdown_cell(limits));
  }
}

}  // namespace steertag::report
