#include "product/audit_forms.h"

#include <algorithm>
#include <array>
#include <utility>

namespace steertag::product {
namespace {

constexpr std::array kForms = std::to_array<std::pair<std::string_view, WriteReport>>({
    {"text", nullptr},
    {"jsonl", nullptr},
    {"sarif", report::sarif},
    {"junit", report::junit},
    {"gitlab", report::gitlab},
    {"github", report::github},
    {"markdown", report::markdown},
});

}  // namespace

std::vector<std::string> audit_forms() {
  std::vector<std::string> names;
  for (const auto& [name, writer] : kForms) {
    names.emplace_back(name);
  }
  return names;
}

WriteReport report_writer(const std::string& form) {
  const auto found =
      std::find_if(kForms.begin(), kForms.end(), [&](const auto& one) { return one.first == form; });
  return found == kForms.end() ? nullptr : found->second;
}

void write_reports(const Settings& settings, const report::AuditReport& report, Records& result,
                   std::span<Records* const> reports) {
  const auto write = [&](const std::string& format, Records& records) {
    if (const WriteReport writer = report_writer(format)) {
      writer(records.buffer(), report);
      records.record_done();
    }
  };
  write(settings.format, result);
  for (size_t i = 0; i < reports.size(); ++i) {
    write(settings.reports[i].format, *reports[i]);
  }
}

}  // namespace steertag::product
