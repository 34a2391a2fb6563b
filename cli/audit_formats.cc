#include "audit_formats.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace steertag::cli {
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

std::vector<std::string> audit_formats() {
  std::vector<std::string> names;
  for (const auto& [name, writer] : kForms) {
    names.emplace_back(name);
  }
  return names;
}

WriteReport report_writer(const std::string& format) {
  const auto* const found =
      std::find_if(kForms.begin(), kForms.end(), [&](const auto& form) { return form.first == format; });
  return found == kForms.end() ? nullptr : found->second;
}

void write_reports(const ReadingOptions& options, const report::AuditReport& report, product::Records& result,
                   std::span<product::Records* const> reports) {
  const auto write = [&](const std::string& format, product::Records& records) {
    if (const WriteReport writer = report_writer(format)) {
      writer(records.buffer(), report);
      records.record_done();
    }
  };
  write(options.format, result);
  for (size_t i = 0; i < reports.size(); ++i) {
    write(options.reports[i].format, *reports[i]);
  }
}

std::optional<ReadingOptions::Report> read_report(const std::string& text) {
  const size_t equals = text.find('=');
  const std::vector<std::string> names = audit_formats();
  if (equals == std::string::npos || equals + 1 == text.size() ||
      std::find(names.begin(), names.end(), text.substr(0, equals)) == names.end()) {
    return std::nullopt;
  }
  return ReadingOptions::Report{text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace steertag::cli
