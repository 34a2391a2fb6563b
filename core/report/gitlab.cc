// GitLab's code quality: a list of issues, each in a file and a line. Of issues with the same fingerprint it
// keeps the last, so that findings of one behaviour are numbered; and it knows nothing else of the audit, so
// that what has to be known of it is an issue, too, in the first line of the first capture. So is each file
// that it was configured by, in the first line of that file: with another digest it is another issue, which a
// merge request shows.
#include <fmt/core.h>

#include "base/named.h"
#include "report/audit_report.h"
#include "report/json_writer.h"
#include "report/kept_text.h"
#include "report/places.h"

namespace steertag::report {
namespace {

std::string_view gitlab_severity(rules::Severity severity) {
  static constexpr std::string_view names[] = {"info", "minor", "major"};
  return base::named<rules::Severity::error>(names, severity);
}

struct Issue {
  std::string description;
  std::string_view check_name;
  std::string fingerprint;
  rules::Severity severity;
  std::string_view path;
  uint64_t line;
};

void put_issue(JsonWriter& json, const Issue& issue) {
  json.object();
  json.text("description", issue.description);
  json.text("check_name", issue.check_name);
  json.text("fingerprint", issue.fingerprint);
  json.text("severity", gitlab_severity(issue.severity));
  json.object("location");
  json.text("path", issue.path);
  json.object("lines");
  json.number("begin", issue.line);
  json.end_object();
  json.end_object();
  json.end_object();
}

void put_policies(JsonWriter& json, const AuditReport& report) {
  const std::vector<std::string> names = names_of(report.policies);
  const Places places(Files{names}, report.folder);
  for (uint32_t i = 0; i < names.size(); ++i) {
    const PolicyFile& policy = report.policies[i];
    put_issue(json, {.description = policy_text(policy),
                     .check_name = name(policy.kind),
                     .fingerprint = fmt::format("steertag-{}-{}-{}", name(policy.kind), i + 1, policy.sha256),
                     .severity = rules::Severity::note,
                     .path = places.path(i),
                     .line = 1});
  }
}

}  // namespace

void gitlab(Buffer& out, const AuditReport& report) {
  const Places places(report.files, report.folder);
  JsonWriter json(out);
  json.list();
  uint64_t number = 0;
  for (const Caution& caution : cautions(report)) {
    put_issue(json, {.description = caution.text,
                     .check_name = caution.id,
                     .fingerprint = fmt::format("steertag-{}-{}", caution.id, ++number),
                     .severity = caution.severity,
                     .path = places.path(0),
                     .line = 1});
  }
  put_policies(json, report);
  for (const auto& [finding, occurrence] : occurrences(report.verdict)) {
    if (finding->known != nullptr) {
      continue;  // nothing that is to be mended
    }
    const std::string again = occurrence == 1 ? std::string() : fmt::format("-{}", occurrence);
    put_issue(json, {.description = fmt::format("{} ({})", sentence(*finding), clause(finding->source)),
                     .check_name = finding->rule->id,
                     .fingerprint = fmt::format("{:016x}{}", finding->fingerprint, again),
                     .severity = finding->severity,
                     .path = places.path(finding->at.file),
                     .line = finding->at.number});
  }
  json.end_list();
  json.end_line();
}

}  // namespace steertag::report
