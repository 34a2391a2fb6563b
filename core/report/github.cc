// Commands to the runner of GitHub's workflows, which make annotations of them. It shows ten of a kind a
// step, so that the ten worst are printed, and how many more there are: the whole is for the other forms.
#include <fmt/core.h>

#include <algorithm>

#include "base/counted.h"
#include "base/named.h"
#include "report/audit_report.h"
#include "report/escape.h"
#include "report/kept_text.h"
#include "report/places.h"

namespace steertag::report {
namespace {

constexpr size_t kMostShown = 10;

std::string_view command(rules::Severity severity) {
  static constexpr std::string_view names[] = {"notice", "warning", "error"};
  return base::named<rules::Severity::error>(names, severity);
}

// As the runner takes it apart: a command ends with its line, a property with a comma, its name with a colon.
std::string runner_text(std::string_view text, bool property) {
  std::string made;
  for (const char c : spelled(text)) {
    const bool special = c == '%' || c == '\n' || (property && (c == ':' || c == ','));
    made += special ? fmt::format("%{:02X}", static_cast<uint8_t>(c)) : std::string(1, c);
  }
  return made;
}

void put_command(Buffer& out, rules::Severity severity, std::string_view title, std::string_view message) {
  print(out, "::{} title={}::{}\n", command(severity), runner_text(title, true), runner_text(message, false));
}

void put_annotation(Buffer& out, const KeptFinding& finding, const Places& places, const Files& files) {
  const std::string related = related_frames(finding, files);
  const std::string title = fmt::format("{} {}", finding.rule->id, finding.rule->name);
  const std::string message = fmt::format("frame {}: {}{}{} ({})\n{}", finding.at.number, sentence(finding),
                                          related.empty() ? "" : "; see frame ", related,
                                          clause(finding.source), look_at(finding, files));
  print(out, "::{} file={},line={},title={}::{}\n", command(finding.severity),
        runner_text(places.path(finding.at.file), true), finding.at.number, runner_text(title, true),
        runner_text(message, false));
}

}  // namespace

void github(Buffer& out, const AuditReport& report) {
  const Places places(report.files, report.folder);
  std::vector<const KeptFinding*> worst = worst_first(report.verdict);
  std::erase_if(worst, [](const KeptFinding* finding) { return finding->known != nullptr; });
  const size_t shown = std::min(worst.size(), kMostShown);
  for (size_t i = 0; i < shown; ++i) {
    put_annotation(out, *worst[i], places, report.files);
  }
  // One for each gravity: of those, too, only ten would be shown.
  std::string grave, other = total(report);
  for (const Caution& caution : cautions(report)) {
    std::string& into = caution.severity == rules::Severity::error ? grave : other;
    into += (into.empty() ? "" : "\n") + caution.text;
  }
  if (!grave.empty()) {
    put_command(out, rules::Severity::error, "steertag audit", grave);
  }
  for (const PolicyFile& policy : report.policies) {
    other += "\n" + policy_text(policy);
  }
  const uint64_t all = report.found.error + report.found.warning + report.found.note;
  if (all > shown) {
    other = base::counted(all - shown, "more finding") + "\n" + other;
  }
  put_command(out, rules::Severity::note, "steertag audit", other);
}

}  // namespace steertag::report
