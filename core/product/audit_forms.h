// The forms that an audit can be reported in, by their names ("sarif"). Some are written as the records come;
// the others (report/audit_report.h) when all of it is known. A program adds none: they are a closed set.
// AuditProduct writes them; the command takes their names from here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "product/records.h"
#include "product/settings.h"
#include "report/audit_report.h"
#include "report/buffer.h"

namespace steertag::product {

std::vector<std::string> audit_forms();  // text and jsonl first

using WriteReport = void (*)(report::Buffer&, const report::AuditReport&);
// Null for those that are written as records come, and for names that are no form.
WriteReport report_writer(const std::string& form);

// Writes what the settings ask for in such forms: the result, and the reports beside it.
void write_reports(const Settings& settings, const report::AuditReport& report, Records& result,
                   std::span<Records* const> reports);

// What an AuditProduct says to the ring that keeps the latest frames (Settings::kRing, host/ring.h): a line
// for each finding, with its frame, whether it keeps the frames around it, and its words, which have no end
// of line as they are written. The ring reads these lines back.
inline void ring_line(report::Buffer& out, uint64_t frame, bool keeps, std::string_view words) {
  report::print(out, "{} {} ", frame, keeps ? 'k' : '-');
  for (const char c : words) {
    out.push_back(c == '\n' ? ' ' : c);
  }
  report::put(out, '\n');
}

}  // namespace steertag::product
