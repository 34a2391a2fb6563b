// What the reports of a whole audit say of it, each in its own form: a finding in a sentence, the command
// that shows what it is about, which findings come first, how many of them fail the audit, and what a reader
// has to know who sees only this: that a capture was cut, that findings were left out. Text for one line;
// whoever writes it escapes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/audit_report.h"

namespace steertag::report {

// "possibly: Responder 10.9.0.1: Reply returns 1904 bytes, ..."
std::string sentence(const KeptFinding& finding);
// "RFC 8166 3.4.6"
std::string clause(const rules::Source& source);
// "INV"
std::string_view family_of(const rules::Rule& rule);
// "15, 18", with the names of files other than the finding's; empty where it rests on no other frame.
std::string related_frames(const KeptFinding& finding, const Files& files);
// The command that shows what it is about.
std::string look_at(const KeptFinding& finding, const Files& files);
// "1 error, 0 warnings, 2 notes in 6 messages, 3 RPCs, 1 connection, 29 frames"
std::string total(const AuditReport& report);

// Which of several with one fingerprint it is, from 1; in the order of Verdict::findings().
struct Occurrence {
  const KeptFinding* finding;
  uint64_t number;
};
std::vector<Occurrence> occurrences(const Verdict& verdict);
// Those that are known last; by severity, then certainty, then in the order in which they were reported.
std::vector<const KeptFinding*> worst_first(const Verdict& verdict);

// Whether a finding fails the audit: what is known does not.
bool fails(const AuditReport& report, const KeptFinding& finding);
// How many of a rule's do, those that are not kept included.
uint64_t failures(const AuditReport& report, const rules::Rule& rule);
// What became of a rule.
enum class Outcome : uint8_t { kept, broken, not_shown };
Outcome outcome(const AuditReport& report, size_t place);  // in the catalog
// Why it was never judged: "no such traffic", "connection setup not captured (3 times)"
std::string why_not_shown(const rules::Tally& tally);

// What a reader has to know of the audit itself, the gravest first.
struct Caution {
  rules::Severity severity;
  std::string_view id;  // "truncated", "left-out"
  std::string text;     // no full stop
};
std::vector<Caution> cautions(const AuditReport& report);

}  // namespace steertag::report
