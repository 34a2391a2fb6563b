// The forms that an audit can be reported in, by the names that --format and --report know.
// Some are written as the records come; the others (core/report/audit_report.h) when all of it
// is known.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "options.h"
#include "product/records.h"
#include "report/audit_report.h"

namespace steertag::cli {

std::vector<std::string> audit_formats();  // text and jsonl first

using WriteReport = void (*)(report::Buffer&, const report::AuditReport&);
// Null for those that are written as records come, and for names that are no form.
WriteReport report_writer(const std::string& format);

// Writes what the options ask for in such forms: the result, and the reports beside it.
void write_reports(const ReadingOptions& options, const report::AuditReport& report, product::Records& result,
                   std::span<product::Records* const> reports);

// "sarif=out.sarif"; unset where it is no form and a file.
std::optional<ReadingOptions::Report> read_report(const std::string& text);

}  // namespace steertag::cli
