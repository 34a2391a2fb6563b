// The half of a SARIF report that does not depend on captures: the tool, and each rule that was asked for,
// with its page as help. Results name a rule by its place in that list.
// Who writes the other half is sarif.cc.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/audit_report.h"
#include "report/json_writer.h"

namespace steertag::report {

// A text that stands in an object of its own.
void put_sarif_text(JsonWriter& json, std::string_view key, std::string_view text);

// The member "tool" of a run.
void put_sarif_tool(JsonWriter& json, const AuditReport& report);

// Precondition: the rule was asked for.
uint64_t sarif_rule_index(const AuditReport& report, const rules::Rule& rule);

}  // namespace steertag::report
