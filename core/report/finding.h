// Findings, tallies and the explanation of rules, as text and as JSON Lines.
// Text: one line per finding, as compilers print them, FILE:FRAME first. JSON: the
// records "finding", "tally" and "rule". Each function appends whole lines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analyzer.h"
#include "report/buffer.h"
#include "report/files.h"
#include "report/text.h"
#include "rules/finding.h"
#include "rules/tally.h"

namespace steertag::report {

struct KeptFinding;
struct Known;

// "nfs.pcap:1523: error: Responder 10.9.0.1: ... (RFC 8166 3.4.5) [CHK-02]"
// Below it: the command that shows what it is about, which put_hint() appends alone.
void put_hint(Buffer& out, std::optional<uint32_t> xid, const Stamp& at, const Files& files);
void text_finding_hint(Buffer& out, const rules::Finding& finding, const TextStyle& style);
void text_finding(Buffer& out, const rules::Finding& finding, const TextStyle& style);
// The same without the frame in front, and not as a line.
void text_finding_words(Buffer& out, const rules::Finding& finding, const TextStyle& style);
void text_finding(Buffer& out, const KeptFinding& finding, const TextStyle& style);  // the same
// The address of who is to blame; empty where that is undecided.
std::string blamed(const rules::Finding& finding);
// "possibly: Responder 10.9.0.1: Reply returns 1904 bytes, ...". `by`: as blamed() has it.
std::string sentence(const rules::Finding& finding, std::string_view by);
// {"type":"finding"}; `known`: what accepts it, if anything. For a report also when each related frame was
// captured, and its Excerpt; or the times alone.
enum class FindingDetail : uint8_t { plain, times, report };
void json_finding(Buffer& out, const rules::Finding& finding, const Files& files,
                  const Known* known = nullptr, FindingDetail detail = FindingDetail::plain);

struct FindingCounts {
  uint64_t error = 0, warning = 0, note = 0;
  std::optional<uint64_t> known = {};  // beside these; unset where nothing was said to be known
  void add(rules::Severity severity);
  void add(const FindingCounts& other) {
    error += other.error;
    warning += other.warning;
    note += other.note;
    if (other.known) {
      known = known.value_or(0) + *other.known;
    }
  }
  uint64_t all() const { return error + warning + note + known.value_or(0); }
};

// {"type":"tally"}, one line.
void json_tally(Buffer& out, const rules::Rule& rule, const rules::Tally& tally);
// A table of the rules, in the order of the catalog; how many had nothing to check, in a line below, or they
// are in it, too.
enum class Idle : uint8_t { counted, shown };
void text_tallies(Buffer& out, std::span<const rules::Tally> tallies, Idle idle, const TextStyle& style);
// What was found, what was judged, and which rules could not be judged and why.
void text_audit_summary(Buffer& out, const Counters& counters, const FindingCounts& found,
                        std::span<const rules::Tally> tallies, const TextStyle& style);

// {"type":"rule"}, one line; with its page where `whole`.
void json_rule(Buffer& out, const rules::Rule& rule, bool whole);
// One line; all of it, with its page, for people to read.
void text_rule_line(Buffer& out, const rules::Rule& rule, const TextStyle& style);
void text_rule(Buffer& out, const rules::Rule& rule, const TextStyle& style);
// The page alone, as people read it: paragraphs wrapped, headings, scenarios indented, with what a line must
// be reported as in words beside it. A page (core/rules/*/*.md) is Markdown, whose fences and `#!` are for
// the tests.
void put_rule_page(Buffer& out, std::string_view page, size_t width, const Palette& palette);
// What is behind "#!", in words: "must report CHK-02 (error, definite): "Position 90"".
std::string expectation_words(std::string_view expectation);

}  // namespace steertag::report
