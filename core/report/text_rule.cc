#include <algorithm>
#include <string>
#include <string_view>

#include "report/finding.h"
#include "report/names.h"
#include "report/rule_page.h"
#include "report/table.h"
#include "report/text_parts.h"
#include "report/text_stats.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

// What of the traffic must have been captured.
std::string needs_text(const rules::Rule& rule) {
  std::string needs;
  const auto add = [&](rules::Need need, std::string_view text) {
    if ((rule.needs & need) != 0) {
      needs += (needs.empty() ? "" : "; ") + std::string(text);
    }
  };
  add(rules::needs_setup, "the connection setup with its private data");
  add(rules::prefers_setup, "the connection setup (without it, a violation is only possible)");
  add(rules::needs_both_ways, "both directions");
  add(rules::needs_no_loss, "no frames missing in between");
  add(rules::needs_unbroken, "no frames missing between the Call and its Reply");
  add(rules::needs_end, "the end of the RPC or of the connection");
  return needs.empty() ? "the message alone" : needs;
}

}  // namespace

void text_rule_line(Buffer& out, const rules::Rule& rule, const TextStyle& style) {
  hang(out, style, 17);
  print(out, "{:<8}", rule.id);
  paint(out, style.palette, severity_colour(rule.severity, style.palette),
        fmt::format("{:<8}", name(rule.severity)));
  print(out, " {}  ({} {})\n", rule.requirement, rule.source.document, rule.source.section);
}

void text_rule(Buffer& out, const rules::Rule& rule, const TextStyle& style) {
  constexpr size_t kMostRead = 100;  // longer lines are hard to read
  const size_t width = std::min(line_width(style), kMostRead);
  paint(out, style.palette, style.palette.title, fmt::format("{} {}", rule.id, rule.name));
  put(out, "\n\n");
  put_wrapped(out, "", fmt::format("{}.", rule.requirement), width);
  put(out, '\n');
  const auto fact = [&](std::string_view what, std::string_view text) {
    put_wrapped(out, fmt::format("{:<10} ", what), text, width);
  };
  fact("Source", fmt::format("{} §{}", rule.source.document, rule.source.section));
  fact("Severity", name(rule.severity));
  fact("Needs", needs_text(rule));
  put(out, '\n');
  put_wrapped(out, "", fmt::format("Why: {}.", rule.why), width);
  put(out, '\n');
  put_rule_page(out, rules::page(rule), width, style.palette);
}

}  // namespace steertag::report
