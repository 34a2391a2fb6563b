#include <fmt/core.h>

#include "report/audit_report.h"
#include "report/json_writer.h"

namespace steertag::report {

namespace {

constexpr std::string_view gitlab_severity(rules::Severity severity) {
  switch (severity) {
    case rules::Severity::note:
      return "info";
    case rules::Severity::warning:
      return "minor";
    case rules::Severity::error:
      return "major";
  }
  return {};
}

}  // namespace

void gitlab(Buffer& out, const AuditReport& report) {
  JsonWriter json(out);
  json.list();
  for (const KeptFinding* finding : report.verdict.findings()) {
    if (AuditReport::known(*finding) != nullptr) {
      continue;  // nothing that is to be mended
    }
    json.object();
    json.text("description", finding->text);
    json.text("check_name", finding->rule->id);
    json.text("fingerprint", fmt::format("{:016x}", finding->fingerprint));
    json.text("severity", gitlab_severity(finding->severity));
    json.object("location");
    json.text("path", report.files.name(finding->at.file));
    json.object("lines");
    json.number("begin", finding->at.number);
    json.end_object();
    json.end_object();
    json.end_object();
  }
  json.end_list();
  json.end_line();
}

}  // namespace steertag::report
